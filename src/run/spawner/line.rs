//! The line between us and a spawner: messages of any length, with descriptors.

use rustix::cmsg_space;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use std::cell::RefCell;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// The most bytes in one packet; a longer message takes several.
const PACKET_BYTES: usize = 32 << 10;

/// The most descriptors that come with a message.
const MOST_DESCRIPTORS: usize = 64;

/// A message: its bytes, and the descriptors that came with it.
pub(super) type Message = (Vec<u8>, Vec<OwnedFd>);

/// One end of a line.
#[derive(Debug)]
pub(super) struct Line {
    socket: OwnedFd,
    /// Where packets arrive, kept for the next.
    packet: RefCell<Vec<u8>>,
}

impl Line {
    /// Both ends of a new line.
    ///
    /// # Errors
    ///
    /// The machine is out of descriptors.
    pub(super) fn pair() -> io::Result<(Line, Line)> {
        let (one, other) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        Ok((Line::from_descriptor(one), Line::from_descriptor(other)))
    }

    /// The end that this descriptor is.
    pub(super) fn from_descriptor(descriptor: OwnedFd) -> Line {
        Line { socket: descriptor, packet: RefCell::new(vec![0; PACKET_BYTES + 4]) }
    }

    /// The descriptor that this end is.
    pub(super) fn into_descriptor(self) -> OwnedFd {
        self.socket
    }

    /// Sends a message. Its descriptors are copied.
    ///
    /// # Errors
    ///
    /// Nobody is at the other end, or the machine refuses.
    pub(super) fn send(&self, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        let length = (bytes.len() as u32).to_le_bytes();
        let first = bytes.len().min(PACKET_BYTES);
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() {
            control.push(SendAncillaryMessage::ScmRights(descriptors));
        }
        send_packet(&self.socket, &[IoSlice::new(&length), IoSlice::new(&bytes[..first])], &mut control)?;
        for packet in bytes[first..].chunks(PACKET_BYTES) {
            send_packet(&self.socket, &[IoSlice::new(packet)], &mut SendAncillaryBuffer::default())?;
        }
        Ok(())
    }

    /// Waits for a message; none comes any more if nobody is at the other end.
    ///
    /// # Errors
    ///
    /// The machine refuses, or the message is damaged.
    pub(super) fn receive(&self) -> io::Result<Option<Message>> {
        let mut packet = self.packet.borrow_mut();
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let count = receive_packet(&self.socket, &mut packet, &mut control)?;
        let Some((length, start)) = packet[..count].split_first_chunk::<4>() else {
            return if count == 0 { Ok(None) } else { Err(io::ErrorKind::InvalidData.into()) };
        };
        let length = u32::from_le_bytes(*length) as usize;
        let mut bytes = start.to_vec();
        let descriptors = control
            .drain()
            .flat_map(|message| match message {
                RecvAncillaryMessage::ScmRights(descriptors) => descriptors.collect(),
                _ => Vec::new(),
            })
            .collect();
        while bytes.len() < length {
            let count = receive_packet(&self.socket, &mut packet, &mut RecvAncillaryBuffer::default())?;
            if count == 0 {
                return Ok(None);
            }
            bytes.extend_from_slice(&packet[..count]);
        }
        Ok(Some((bytes, descriptors)))
    }

    /// Whether there is something to receive within the given time.
    ///
    /// # Errors
    ///
    /// The machine refuses.
    pub(super) fn is_ready(&self, timeout: Duration) -> io::Result<bool> {
        let timeout = Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: timeout.subsec_nanos().into() };
        match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl AsFd for Line {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

fn send_packet(
    socket: &OwnedFd,
    parts: &[IoSlice<'_>],
    control: &mut SendAncillaryBuffer<'_, '_, '_>,
) -> io::Result<()> {
    retry_on_intr(|| sendmsg(socket, parts, control, SendFlags::NOSIGNAL))?;
    Ok(())
}

/// The length of the packet; 0 if there will be none.
fn receive_packet(socket: &OwnedFd, packet: &mut [u8], control: &mut RecvAncillaryBuffer<'_>) -> io::Result<usize> {
    match retry_on_intr(|| recvmsg(socket, &mut [IoSliceMut::new(packet)], control, RecvFlags::CMSG_CLOEXEC)) {
        Ok(received) => Ok(received.bytes),
        // Whoever was at the other end has left without reading everything.
        Err(Errno::CONNRESET) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Read, Seek, Write};

    #[test]
    fn messages_arrive_whole_and_in_order() -> io::Result<()> {
        let (one, other) = Line::pair()?;
        let messages = [Vec::new(), b"a".to_vec(), vec![7; PACKET_BYTES], vec![9; PACKET_BYTES * 3 + 1]];
        for message in &messages {
            one.send(message, &[])?;
            assert_eq!(other.receive()?.map(|(bytes, _)| bytes).as_ref(), Some(message));
        }
        assert!(!other.is_ready(Duration::ZERO)?);
        drop(one);
        assert!(other.is_ready(Duration::ZERO)? && other.receive()?.is_none());
        assert!(other.send(b"a", &[]).is_err());
        Ok(())
    }

    #[test]
    fn descriptors_arrive_with_their_message() -> io::Result<()> {
        let (one, other) = Line::pair()?;
        let mut file = tempfile::tempfile()?;
        one.send(b"here", &[file.as_fd()])?;
        let (bytes, mut descriptors) = other.receive()?.unwrap_or_default();
        assert_eq!((bytes.as_slice(), descriptors.len()), (b"here".as_slice(), 1));
        File::from(descriptors.remove(0)).write_all(b"there")?;
        file.rewind()?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        assert_eq!(text, "there");
        Ok(())
    }
}
