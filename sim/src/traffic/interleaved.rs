//! The fragments of captured traffic, for cores that have a table of flows.

use super::packet::Packet;
use super::packets::Captured;
use super::reader::Traffic;
use super::table::{Refused, Table};
use crate::line::{self, Line};
use crate::packets::Piece;
use std::collections::{HashMap, VecDeque};

/// A message that has begun.
struct Open {
    /// `None` if it is refused.
    entry: Option<usize>,
    /// Where its newest byte came from.
    newest: Packet,
}

impl Traffic {
    /// The fragments as they come, for a core with a table of `flows` flows. On the wire each takes the time that its frame
    /// took, whether its message is refused or not.
    pub fn interleaved(&mut self, flows: usize, line: Option<Line>) -> Captured {
        let mut table = Table {
            flows,
            most_open: 0,
            refused: vec![Refused::default(); self.flows.len()],
        };
        // What has been free for the longest is taken first, so that every entry is used.
        let mut free: VecDeque<usize> = (0..flows).collect();
        let mut open: HashMap<usize, Open> = HashMap::new();
        let mut packets = Vec::new();
        let mut pieces = Vec::new();
        let (mut bytes, mut wire) = (0, 0);
        for fragment in std::mem::take(&mut self.fragments) {
            let flow = fragment.flow;
            let length = fragment.payload.len() as u64;
            let came = Packet {
                flow: Some(flow),
                frame: fragment.frame,
                time: fragment.time,
            };
            // An end that no frame says comes as if the shortest one did: of several flows, one after another.
            wire += match length {
                0 => fragment.wire.before.max(line::cost(0)),
                _ => fragment.wire.before,
            };
            let arrived = wire;
            wire += fragment.wire.after;
            let begins = !open.contains_key(&flow);
            let message = open.entry(flow).or_insert_with(|| Open {
                entry: free.pop_front(),
                newest: came,
            });
            if length > 0 {
                message.newest = came;
            }
            let Open { entry, newest } = *message;
            let ends = !fragment.more;
            if ends {
                open.remove(&flow);
            }
            let Some(entry) = entry else {
                let refused = &mut table.refused[flow];
                refused.messages += u64::from(begins);
                refused.bytes += length;
                continue;
            };
            table.most_open = table.most_open.max(flows - free.len());
            if ends {
                free.push_back(entry);
                packets.push(newest);
            }
            bytes += length;
            pieces.push(Piece {
                bytes: fragment.payload,
                ends,
                arrived,
                flow: entry as u64,
                begins,
                window: None,
            });
        }
        Captured {
            packets,
            pieces: pieces.into_iter(),
            bytes,
            line,
            table: Some(table),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packets::Packets;
    use crate::traffic::{Flow, FlowKey, Fragment, Frames, Protocol, Wire};

    /// Traffic of fragments, each in a frame of 100 bytes on the wire: their flow, their bytes, and whether more follows.
    fn traffic(fragments: &[(usize, &str, bool)]) -> Traffic {
        let host = "10.0.0.1:1".parse().unwrap();
        let flow = Flow {
            key: FlowKey {
                protocol: Protocol::Tcp,
                source: host,
                destination: host,
                vlans: Vec::new(),
            },
            ended: None,
            repeated_bytes: 0,
            lost_bytes: 0,
        };
        let numbered = fragments.iter().zip(1..);
        Traffic {
            flows: vec![flow; 4],
            fragments: numbered
                .map(|(&(flow, payload, more), frame)| Fragment {
                    flow,
                    frame,
                    time: None,
                    wire: Wire {
                        before: 90,
                        after: 10,
                    },
                    payload: payload.into(),
                    more,
                })
                .collect(),
            frames: Frames::default(),
            whole: None,
            cut: None,
        }
    }

    /// The pieces: the entry, the bytes, whether a message begins and ends, and where it is on the wire.
    fn pieces(captured: &mut Captured) -> Vec<(u64, String, bool, bool, u64)> {
        let mut piece = Piece::default();
        let mut all = Vec::new();
        while captured.next(&mut piece).unwrap() {
            let Piece {
                bytes,
                ends,
                arrived,
                flow,
                begins,
                ..
            } = piece.clone();
            all.push((
                flow,
                String::from_utf8(bytes).unwrap(),
                begins,
                ends,
                arrived,
            ));
        }
        all
    }

    fn refused(messages: u64, bytes: u64) -> Refused {
        Refused { messages, bytes }
    }

    #[test]
    fn entries_are_taken_in_turn_and_left_at_the_end() {
        let mut captured = traffic(&[
            (0, "a", true),
            (1, "datagram", false),
            (0, "b", false),
            (1, "another", false),
            (2, "c", true),
            (2, "", false),
        ])
        .interleaved(3, None);
        let expected = [
            (0, "a", true, false, 90),
            (1, "datagram", true, true, 190),
            (0, "b", false, true, 290),
            (2, "another", true, true, 390),
            (1, "c", true, false, 490),
            (1, "", false, true, 590),
        ];
        let expected = expected
            .map(|(entry, bytes, begins, ends, at)| (entry, bytes.to_string(), begins, ends, at));
        assert_eq!(pieces(&mut captured), expected);
        // The end by itself has no byte: the message's last one came in the frame before.
        let came: Vec<_> = captured
            .packets
            .iter()
            .map(|it| (it.flow.unwrap(), it.frame))
            .collect();
        assert_eq!(came, [(1, 2), (0, 3), (1, 4), (2, 5)]);
        let table = captured.table.unwrap();
        assert_eq!((table.most_open, table.refused()), (2, refused(0, 0)));
    }

    #[test]
    fn a_message_that_finds_no_entry_is_refused_whole() {
        let mut captured = traffic(&[
            (0, "a", true),
            (1, "xx", true),
            (2, "yyy", false),
            (0, "b", false),
            // It began when the table was full, and stays refused; what begins now does not.
            (1, "zz", true),
            (2, "c", false),
            (1, "", false),
        ])
        .interleaved(1, None);
        let expected = [
            (0, "a".to_string(), true, false, 90),
            (0, "b".to_string(), false, true, 390),
            (0, "c".to_string(), true, true, 590),
        ];
        assert_eq!(pieces(&mut captured), expected);
        assert_eq!((captured.bytes, captured.packets.len()), (3, 2));
        let table = captured.table.unwrap();
        assert_eq!((table.most_open, table.refused()), (1, refused(2, 7)));
        let of_flows = [(0, 0), (1, 4), (1, 3), (0, 0)];
        assert_eq!(table.refused, of_flows.map(|(n, bytes)| refused(n, bytes)));
    }
}
