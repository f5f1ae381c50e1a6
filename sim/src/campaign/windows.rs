//! Every window of four bytes, each exactly once, in one stream.
//!
//! The bytes are a linear recurrence of degree 4 over GF(256), whose characteristic polynomial is primitive: its state, the
//! newest four bytes, takes each of the 2^32 - 1 values but zero once before it comes back. The one window that it cannot
//! have, all zeros, is put in front by one more zero, since the recurrence begins with three. So window `i` is bytes `i` to
//! `i + 3`, and `0..WINDOWS` are all there are.
//!
//! What a byte is to its sequence is decided by it and the three before it, so these are all cases of that, with every byte
//! there is. Whether its piece ends there may depend on the byte after it as well: windows of five, and of six, are what
//! [`classes`](super::classes) has. In a core of more lanes than one a window comes by in one alignment only.

use std::io::{self, Read};

/// How many windows there are.
pub const WINDOWS: u64 = 1 << 32;

/// GF(256) modulo x^8 + x^4 + x^3 + x + 1.
const MODULUS: u8 = 0x1B;
/// The recurrence's characteristic polynomial, x^4 = x^3 + x^2 + LEAST; its coefficients from the lowest on.
const LEAST: u8 = 6;
const POLYNOMIAL: [u8; 4] = [LEAST, 0, 1, 1];

/// Products with [`LEAST`].
const PRODUCTS: [u8; 256] = {
    let mut products = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        products[byte] = product(byte as u8, LEAST);
        byte += 1;
    }
    products
};

const fn product(mut a: u8, mut b: u8) -> u8 {
    let mut sum = 0;
    while b != 0 {
        sum ^= a * (b & 1);
        a = (a << 1) ^ (MODULUS * (a >> 7));
        b >>= 1;
    }
    sum
}

/// The recurrence's newest four bytes, the oldest in the low bits. The first ones are 0, 0, 0, 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State(u32);

impl State {
    /// The next state; its newest byte is the one that is new.
    #[inline]
    fn next(self) -> Self {
        let Self(bytes) = self;
        let newest = (bytes >> 24) ^ (bytes >> 16) ^ u32::from(PRODUCTS[(bytes & 0xFF) as usize]);
        Self(bytes >> 8 | newest << 24)
    }

    /// The state after so many steps from the first, at the cost of their number's logarithm.
    ///
    /// With x^steps reduced to r3 x^3 + ... + r0, the byte so many places on is r3 b3 + ... + r0 b0 of the bytes b0 ... b3
    /// here: of the first state, r3.
    fn after(steps: u64) -> Self {
        let x = [0, 1, 0, 0];
        let (mut power, mut square, mut left) = ([1, 0, 0, 0], x, steps);
        while left > 0 {
            if left & 1 == 1 {
                power = reduced_product(power, square);
            }
            square = reduced_product(square, square);
            left >>= 1;
        }
        let bytes = [(); 4].map(|()| {
            let byte = power[3];
            power = reduced_product(power, x);
            byte
        });
        Self(u32::from_le_bytes(bytes))
    }
}

/// A product of polynomials modulo the characteristic one.
fn reduced_product(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
    let mut sum = [0; 7];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            sum[i + j] ^= product(a, b);
        }
    }
    for high in (4..7).rev() {
        for (at, &coefficient) in POLYNOMIAL.iter().enumerate() {
            sum[high - 4 + at] ^= product(sum[high], coefficient);
        }
    }
    [sum[0], sum[1], sum[2], sum[3]]
}

/// The stream, from any window on; it has no end.
pub struct Windows {
    /// The zero in front is still to come.
    in_front: bool,
    state: State,
}

impl Windows {
    /// The stream from this window's first byte on.
    pub fn from(window: u64) -> Self {
        Self {
            in_front: window == 0,
            state: State::after(window.saturating_sub(1)),
        }
    }
}

impl Read for Windows {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state;
        let mut rest = bytes.iter_mut();
        if self.in_front
            && let Some(byte) = rest.next()
        {
            *byte = 0;
            self.in_front = false;
        }
        for byte in rest {
            *byte = state.0 as u8;
            state = state.next();
        }
        self.state = state;
        Ok(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: State = State(u32::from_le_bytes([0, 0, 0, 1]));

    /// A linear map of 32 bits, by what it makes of each bit.
    type Matrix = [u32; 32];

    fn apply(matrix: &Matrix, bits: u32) -> u32 {
        (0..32)
            .filter(|bit| bits >> bit & 1 == 1)
            .fold(0, |sum, bit| sum ^ matrix[bit])
    }

    /// The recurrence's step as bits, which knows nothing of GF(256).
    fn step() -> Matrix {
        std::array::from_fn(|bit| State(1 << bit).next().0)
    }

    fn power(matrix: Matrix, mut exponent: u64) -> Matrix {
        let mut power = std::array::from_fn(|bit| 1 << bit);
        let mut square = matrix;
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = power.map(|column| apply(&square, column));
            }
            square = square.map(|column| apply(&square, column));
            exponent >>= 1;
        }
        power
    }

    fn window(bytes: &[u8]) -> u32 {
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }

    /// The first state comes back after 2^32 - 1 steps, and after no proper divisor of that: so it has been through every
    /// state but zero, once.
    #[test]
    fn the_order_is_exactly_one_less_than_two_to_the_32() {
        let step = step();
        for bits in [0x0123_4567, 0xFFFF_FFFF, 0xDEAD_BEEF] {
            assert_eq!(apply(&step, bits), State(bits).next().0, "it is linear");
        }
        let order = WINDOWS - 1;
        let primes = [3, 5, 17, 257, 65537];
        assert_eq!(primes.iter().product::<u64>(), order);
        let after = |steps| apply(&power(step, steps), FIRST.0);
        assert_eq!(after(order), FIRST.0);
        for prime in primes {
            assert_ne!(after(order / prime), FIRST.0, "{prime}");
        }
    }

    #[test]
    fn a_jump_goes_where_as_many_steps_go() {
        let step = step();
        for steps in [0, 1, 2, 255, 65_536, 123_456_789, WINDOWS - 2, WINDOWS + 5] {
            let State(reached) = State::after(steps);
            let expected = apply(&power(step, steps), FIRST.0);
            assert_eq!(reached, expected, "{steps}");
        }
    }

    #[test]
    fn the_stream_is_the_same_from_wherever_it_is_read() {
        let mut stream = vec![0; 1000];
        Windows::from(0).read_exact(&mut stream).unwrap();
        assert_eq!(stream[..6], [0, 0, 0, 0, 1, 1]);
        for from in [0, 1, 2, 500] {
            let mut rest = vec![0; 400];
            let mut windows = Windows::from(from as u64);
            let (begin, end) = rest.split_at_mut(1);
            windows.read_exact(begin).unwrap();
            windows.read_exact(end).unwrap();
            assert_eq!(rest, stream[from..][..400], "{from}");
        }
    }

    /// The recurrence is back where it began behind the last window, so the last three windows are the ones that begin at
    /// the stream's end and go round.
    #[test]
    fn the_last_windows_lead_back_to_the_first() {
        let mut end = [0; 8];
        Windows::from(WINDOWS - 1).read_exact(&mut end).unwrap();
        assert_ne!(end[0], 0);
        assert_eq!(end[1..5], [0, 0, 0, 1]);
    }

    #[test]
    fn no_window_of_the_first_or_the_last_ones_is_doubled() {
        const COUNT: u64 = 1 << 23;
        let mut seen = Vec::new();
        for from in [0, WINDOWS - COUNT] {
            let mut bytes = vec![0; COUNT as usize + 3];
            Windows::from(from).read_exact(&mut bytes).unwrap();
            seen.extend(bytes.windows(4).map(window));
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len() as u64, 2 * COUNT);
        assert_eq!(seen[0], 0);
    }
}
