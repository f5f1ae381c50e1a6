//! Parts before anything is connected.

/// A part of a block, as it is before anything is connected. Not inlined: a core has thousands of them, and the compiler would put them
/// together in one function.
#[inline(never)]
pub fn blank<T: Default>() -> T {
    T::default()
}

/// `count` parts, each as it is before anything is connected.
pub fn blanks<T: Default>(count: usize) -> Vec<T> {
    several(count, |_| blank())
}

/// `count` parts, each made from its number. A loop: an iterator would add ten functions to compile for each type.
pub fn several<T>(count: usize, mut part: impl FnMut(usize) -> T) -> Vec<T> {
    let mut parts = Vec::with_capacity(count);
    for number in 0..count {
        parts.push(part(number));
    }
    parts
}
