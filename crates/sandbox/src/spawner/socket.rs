//! The socket between rebut and a spawner: messages of any length, with descriptors.

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

/// Maximum number of bytes in one packet; a longer message takes several.
const MAX_PACKET_BYTES: usize = 32 << 10;

/// Maximum number of descriptors with a message.
const MAX_DESCRIPTORS: usize = 64;

/// A message: its bytes and its descriptors.
pub(super) type SpawnerMessage = (Vec<u8>, Vec<OwnedFd>);

/// One end of the connection to a spawner.
#[derive(Debug)]
pub(super) struct SpawnerSocket {
    socket: OwnedFd,
    /// Receive buffer, reused for each packet.
    packet: RefCell<Vec<u8>>,
}

impl SpawnerSocket {
    /// Creates both ends of a connection.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system is out of descriptors.
    pub(super) fn create_pair() -> io::Result<(SpawnerSocket, SpawnerSocket)> {
        let (one, other) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        Ok((SpawnerSocket::from_descriptor(one), SpawnerSocket::from_descriptor(other)))
    }

    /// Wraps the descriptor of one end.
    pub(super) fn from_descriptor(descriptor: OwnedFd) -> SpawnerSocket {
        SpawnerSocket { socket: descriptor, packet: RefCell::new(vec![0; MAX_PACKET_BYTES + 4]) }
    }

    /// Returns the descriptor of this end.
    pub(super) fn into_descriptor(self) -> OwnedFd {
        self.socket
    }

    /// Sends a message. Its descriptors are duplicated.
    ///
    /// # Errors
    ///
    /// Returns an error if the other end is closed or the operating system refuses.
    pub(super) fn send_message(&self, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        let length = (bytes.len() as u32).to_le_bytes();
        let first = bytes.len().min(MAX_PACKET_BYTES);
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() {
            control.push(SendAncillaryMessage::ScmRights(descriptors));
        }
        send_packet(&self.socket, &[IoSlice::new(&length), IoSlice::new(&bytes[..first])], &mut control)?;
        for packet in bytes[first..].chunks(MAX_PACKET_BYTES) {
            send_packet(&self.socket, &[IoSlice::new(packet)], &mut SendAncillaryBuffer::default())?;
        }
        Ok(())
    }

    /// Waits for a message. Returns `None` once the other end is closed.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses or the message is damaged.
    pub(super) fn receive_message(&self) -> io::Result<Option<SpawnerMessage>> {
        let mut packet = self.packet.borrow_mut();
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
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

    /// Returns true if there is something to receive within the given time.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(super) fn is_readable(&self, timeout: Duration) -> io::Result<bool> {
        let timeout = Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: timeout.subsec_nanos().into() };
        match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl AsFd for SpawnerSocket {
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

/// Receives one packet and returns its length, or 0 if the other end is closed.
fn receive_packet(socket: &OwnedFd, packet: &mut [u8], control: &mut RecvAncillaryBuffer<'_>) -> io::Result<usize> {
    match retry_on_intr(|| recvmsg(socket, &mut [IoSliceMut::new(packet)], control, RecvFlags::CMSG_CLOEXEC)) {
        Ok(received) => Ok(received.bytes),
        // The other end was closed with unread data.
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
        let (one, other) = SpawnerSocket::create_pair()?;
        let messages = [Vec::new(), b"a".to_vec(), vec![7; MAX_PACKET_BYTES], vec![9; MAX_PACKET_BYTES * 3 + 1]];
        for message in &messages {
            one.send_message(message, &[])?;
            assert_eq!(other.receive_message()?.map(|(bytes, _)| bytes).as_ref(), Some(message));
        }
        assert!(!other.is_readable(Duration::ZERO)?);
        drop(one);
        assert!(other.is_readable(Duration::ZERO)? && other.receive_message()?.is_none());
        assert!(other.send_message(b"a", &[]).is_err());
        Ok(())
    }

    #[test]
    fn descriptors_arrive_with_their_message() -> io::Result<()> {
        let (one, other) = SpawnerSocket::create_pair()?;
        let mut file = tempfile::tempfile()?;
        one.send_message(b"here", &[file.as_fd()])?;
        let (bytes, mut descriptors) = other.receive_message()?.unwrap_or_default();
        assert_eq!((bytes.as_slice(), descriptors.len()), (b"here".as_slice(), 1));
        File::from(descriptors.remove(0)).write_all(b"there")?;
        file.rewind()?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        assert_eq!(text, "there");
        Ok(())
    }
}
