//! As much of protocol buffers as two messages of the handshake need, and the numbers of variable length that stand in
//! front of messages elsewhere too.
//!
//! Tests: a number comes back; what is cut is refused, and what is unknown is passed over.

/// Appends a number, seven bits to the byte, the lowest first.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; nothing where there is no whole one.
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for at in 0..10 {
        let byte = *bytes.get(at)?;
        let bits = u64::from(byte & 0x7f);
        number |= bits << (7 * at);
        if byte & 0x80 == 0 {
            *bytes = &bytes[at + 1..];
            // The tenth byte has room for the highest bit alone.
            return (at < 9 || bits <= 1).then_some(number);
        }
    }
    None
}

/// Appends a field of bytes.
pub(crate) fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_number(out, field << 3 | 2);
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// What a field holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// Four or eight bytes of a kind that no message here has.
    Other,
}

/// Returns the fields of a message, in order; nothing, and that is the last, where it is none.
pub(crate) fn fields(mut bytes: &[u8]) -> impl Iterator<Item = Option<(u64, Value<'_>)>> {
    std::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let field = take_field(&mut bytes);
        if field.is_none() {
            bytes = &[];
        }
        Some(field)
    })
}

fn take_field<'a>(bytes: &mut &'a [u8]) -> Option<(u64, Value<'a>)> {
    let key = take_number(bytes)?;
    let value = match key & 7 {
        0 => Value::Number(take_number(bytes)?),
        1 => take(bytes, 8).map(|_| Value::Other)?,
        2 => {
            let length = usize::try_from(take_number(bytes)?).ok()?;
            Value::Bytes(take(bytes, length)?)
        }
        5 => take(bytes, 4).map(|_| Value::Other)?,
        _ => return None,
    };
    Some((key >> 3, value))
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_comes_back_and_half_of_one_does_not() {
        for number in [0, 1, 127, 128, 300, 1 << 40, u64::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            assert_eq!(take_number(&mut &bytes[..]), Some(number));
            assert_eq!(take_number(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(take_number(&mut &[0xff; 20][..]), None);
        assert_eq!(take_number(&mut &[&[0xff; 9][..], &[2]].concat()[..]), None);
    }

    #[test]
    fn unknown_fields_are_passed_over_and_cut_ones_are_errors() {
        let mut message = vec![
            3 << 3 | 5,
            1,
            2,
            3,
            4,
            4 << 3 | 1,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            5 << 3,
            7,
        ];
        put_bytes(&mut message, 1, b"key");
        let last = fields(&message).last();
        assert_eq!(last, Some(Some((1, Value::Bytes(b"key")))));
        assert_eq!(fields(&message).count(), 4);
        for cut in [2, 8, 15, 17, 19] {
            assert_eq!(fields(&message[..cut]).last(), Some(None), "{cut}");
        }
        assert_eq!(fields(&[3]).last(), Some(None));
    }
}
