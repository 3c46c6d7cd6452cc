/** The fault cases of an upload and the guarantee for each. Their tests are named `fault <number>: ...`. */

export interface FaultCase {
  readonly number: number;
  readonly name: string;
  readonly promise: string;
}

const fault = (number: number, name: string, promise: string): FaultCase => ({ number, name, promise });

export const FAULT_CASES: readonly FaultCase[] = [
  fault(1, 'The app is killed while it hashes', 'The item exists; nothing was sent; it is hashed again.'),
  fault(
    2,
    'The app is killed after the start was sent, its answer unseen',
    'The key was on the disk before: the same upload.',
  ),
  fault(
    3,
    'The app is killed in the middle of parts',
    'The service says what has arrived; at most three parts go again.',
  ),
  fault(4, 'The app is killed after a part was accepted, before that was noted', 'The service’s list of parts wins.'),
  fault(5, 'The app is killed around complete', 'Complete is repeated with its key and fields: one item.'),
  fault(6, 'Complete succeeds and its answer is lost', 'The same item, one share page, its space counted once.'),
  fault(7, 'The server is killed in the middle of a part', 'Unconfirmed bytes never count; confirmed parts stay.'),
  fault(8, 'The server is killed while it completes', 'It is taken up at the next start: one item, never two.'),
  fault(9, 'The server loses power', 'Bytes are synced, then the row is committed, then the part is answered.'),
  fault(10, 'A connection is reset', 'That part goes again after a short, uneven pause; the others go on.'),
  fault(
    11,
    'A socket stalls, on either side; the link is slow',
    'The app times out before the server does; the server answers 408; on 1 Mbit/s one part is sent at a time.',
  ),
  fault(
    12,
    'An answer never comes after the whole body',
    'After a time limit the status is asked, before anything goes again.',
  ),
  fault(
    13,
    'The network changes; places are taken',
    'A part takes the place of its own dead request; 429 UPLOAD_USER_BUSY is waiting, no failure.',
  ),
  fault(14, '429', 'Its Retry-After holds for every item of the account and consumes no try.'),
  fault(15, '503', 'The same; waits are spread, and grow to two minutes at most where none is named.'),
  fault(
    16,
    'Retry-After is missing, a date, or absurd',
    'Both forms are read, against the answer’s own Date, between a second and five minutes.',
  ),
  fault(
    17,
    'Bytes are garbled on the way',
    'The part is refused and goes again, twice at most; then the item stops with a name for it.',
  ),
  fault(18, 'A body is cut off, too long, or announced wrongly', 'Refused, its place free, nothing kept.'),
  fault(
    19,
    'The file is edited',
    'Noticed before anything mixed is published; the upload is cancelled; a retry takes the new content.',
  ),
  fault(
    20,
    'The file is deleted, moved, or on a drive that is unplugged',
    'Waits in sight and goes on by itself when the file is back and the same; files of the app stay until published.',
  ),
  fault(
    21,
    'The disk of the app is full',
    'The queue pauses in sight, nothing is lost, nothing crashes; it goes on when there is room.',
  ),
  fault(22, 'The disk of the server is full', '503; nothing half is kept; the upload goes on when there is room.'),
  fault(
    23,
    'The account has no space, at the start or at complete',
    'Waits for the user; no request is repeated in a loop.',
  ),
  fault(24, 'The same start twice', 'The same upload; with other bytes it is refused.'),
  fault(25, 'The same completion twice at once', 'One item, both answers the same.'),
  fault(26, 'The same part twice, at once or after the end', 'Checked, counted once, changes nothing.'),
  fault(27, 'The eleventh pending upload', 'Waits; items that wait here release their place and keep their hashes.'),
  fault(
    28,
    'The upload is older than 24 hours',
    'Restarted with a new key and the existing hashes; there is always one item.',
  ),
  fault(
    29,
    'A wrong clock, or one that jumps',
    'Waits are measured by a clock that never jumps; only the service says what has expired.',
  ),
  fault(30, 'Another account', 'Items stay with their account and are never sent under another one.'),
  fault(
    31,
    'A key that is expired, revoked, banned or lacks a permission',
    'Everything stops once, says why, and goes on after connecting again.',
  ),
  fault(
    32,
    'The computer sleeps',
    'What was under way is broken off at waking, the status is read, and the rest goes on.',
  ),
  fault(
    33,
    'A captive portal; a redirect to another host',
    'Success is JSON of the right shape about the right upload; the key follows no redirect.',
  ),
  fault(
    34,
    'A proxy answers in place of the service',
    'Its 407, 502, 503, 504 are retried; its 413 waits for the user; it says nothing about key or upload.',
  ),
  fault(35, 'The certificate is bad', 'Stops with the reason; nothing goes in the clear.'),
  fault(36, 'A cache answers with an old status', 'Nothing may be cached; an old answer does no harm.'),
  fault(37, 'Two instances', 'One owner per profile; the second hands its files over.'),
  fault(
    38,
    'The profile’s database is damaged, or an old one was put back',
    'Moved aside and rebuilt from the last good copy and the files of the app, paused; the user is notified.',
  ),
  fault(39, 'The profile was written by a newer version', 'Refused; not a byte of it is written.'),
  fault(
    40,
    'The first part shows a type or size that is not accepted',
    'The upload is cancelled, and its other parts stop at once.',
  ),
  fault(41, 'A virus scanner holds the file', 'Looked at again for a while, then named.'),
  fault(
    42,
    'A person cancels in the middle of complete',
    'The final word is asked for; what is published stays in sight, to be deleted.',
  ),
  fault(43, 'A quit hangs', 'A watchdog ends the process; everything is on the disk already.'),
  fault(44, 'The server is stopped', 'Parts under way arrive, new requests are answered 503, then it ends.'),
  fault(
    45,
    'A part that was acknowledged comes once more, at any time',
    'It is compared and answered; no byte that was acknowledged is written again, whatever dies in that moment.',
  ),
  fault(
    46,
    'Clients keep connections, bodies and answers open',
    'What stands still is ended within its limit, others are served meanwhile, and a stop does not wait for it.',
  ),
  fault(
    47,
    'The file is edited in place, and its system notes the time late, as NTFS does until the writer closes it',
    'Its bytes decide: each part is what was hashed, and what is read once is read again. Nothing mixed is published.',
  ),
];
