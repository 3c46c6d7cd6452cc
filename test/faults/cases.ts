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
    'The app is killed after the start was sent, before its answer',
    'The key was saved before: the same upload continues.',
  ),
  fault(
    3,
    'The app is killed while it sends parts',
    'The service reports the received parts; at most three are sent again.',
  ),
  fault(4, 'The app is killed after a part was accepted, before it recorded that', 'The service’s list of parts wins.'),
  fault(5, 'The app is killed around complete', 'Complete is repeated with its key and fields: there is one item.'),
  fault(6, 'Complete succeeds and its answer is lost', 'The same item, one share page, its storage counted once.'),
  fault(7, 'The server is killed while it receives a part', 'Unconfirmed bytes never count; confirmed parts stay.'),
  fault(8, 'The server is killed while it completes', 'It continues at the next start: there is one item, never two.'),
  fault(
    9,
    'The server loses power',
    'Bytes are synced, then the row is committed, then the part is answered. On macOS both pass the cache of the drive.',
  ),
  fault(10, 'A connection is reset', 'That part is sent again after a short, random pause; the others continue.'),
  fault(
    11,
    'A socket stalls, on either side; the link is slow',
    'The app times out before the server does; the server answers 408; on 1 Mbit/s one part is sent at a time.',
  ),
  fault(
    12,
    'An answer never comes after the whole body',
    'After a time limit the app requests the status before it sends anything again.',
  ),
  fault(
    13,
    'The network changes; upload slots are in use',
    'A part replaces its own dead request; 429 UPLOAD_USER_BUSY is a wait, not a failure.',
  ),
  fault(14, '429', 'Its Retry-After applies to every item of the account and does not count as an attempt.'),
  fault(15, '503', 'The same; waits are randomised, and grow to at most two minutes without a Retry-After.'),
  fault(
    16,
    'Retry-After is missing, a date, or absurd',
    'Both forms are parsed, relative to the answer’s Date, and limited to between one second and five minutes.',
  ),
  fault(
    17,
    'Bytes are corrupted in transit',
    'The part is refused and sent again at most twice; then the item stops with an error that says so.',
  ),
  fault(
    18,
    'A body is truncated, too long, or has a wrong length',
    'It is refused, its slot is freed, and nothing is stored.',
  ),
  fault(
    19,
    'The file is edited',
    'Detected before mixed content is published; the upload is cancelled; a retry uploads the new content.',
  ),
  fault(
    20,
    'The file is deleted, moved, or on an unplugged drive',
    'The item waits visibly and continues automatically when the same file is back; the app’s own files are kept until published.',
  ),
  fault(
    21,
    'The disk of the app is full',
    'The queue pauses visibly, nothing is lost, nothing crashes; it continues when there is space.',
  ),
  fault(
    22,
    'The disk of the server is full',
    '503; no partial data is stored; the upload continues when there is space.',
  ),
  fault(
    23,
    'The account has no space, at the start or at complete',
    'Waits for the user; no request is repeated in a loop.',
  ),
  fault(24, 'The same start twice', 'The same upload; with other bytes it is refused.'),
  fault(25, 'The same completion twice at once', 'One item, and both answers are the same.'),
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
    'Everything stops once with the reason, and continues after connecting again.',
  ),
  fault(
    32,
    'The computer sleeps',
    'Requests in progress are aborted on resume, the status is requested, and the rest is sent.',
  ),
  fault(
    33,
    'A captive portal; a redirect to another host',
    'Only JSON of the right shape about the right upload counts as success; the key never follows a redirect.',
  ),
  fault(
    34,
    'A proxy answers instead of the service',
    'Its 407, 502, 503, 504 are retried; its 413 waits for the user; it says nothing about key or upload.',
  ),
  fault(35, 'The certificate is invalid', 'Everything stops with the reason; nothing is sent unencrypted.'),
  fault(36, 'A cache answers with an old status', 'No answer may be cached; an old answer does no harm.'),
  fault(37, 'Two instances', 'One process owns the profile; the second passes its files to it.'),
  fault(
    38,
    'The profile’s database is damaged, or was replaced by an older one',
    'A damaged one is moved aside and rebuilt from the last good copy. The files of the app come back, paused, and private where the copy lacks them; the user is notified, also when a crash interrupts that. Captures that were in the editor return to it, and what the user hid or discarded there does not become an item.',
  ),
  fault(39, 'The profile was written by a newer version', 'It is refused, and nothing is written to it.'),
  fault(
    40,
    'The first part shows a type or size that is not accepted',
    'The upload is cancelled, and its other parts stop immediately. Retry prepares the file again for the current limits.',
  ),
  fault(41, 'A virus scanner locks the file', 'Opening it is retried for a while, then reported.'),
  fault(
    42,
    'The user cancels during complete',
    'The outcome is requested; a published item stays visible and can be deleted. Without the permission to delete it is linked; without its account the reason is shown, and it can be removed from the queue.',
  ),
  fault(43, 'A quit hangs', 'A watchdog ends the process; everything is saved already.'),
  fault(44, 'The server is stopped', 'Parts in progress are received, new requests are answered 503, then it exits.'),
  fault(
    45,
    'An acknowledged part arrives again, at any time',
    'It is compared and answered; no acknowledged byte is written again, even if a process dies at that moment.',
  ),
  fault(
    46,
    'Clients keep connections, bodies and answers open',
    'Stalled ones are closed within the configured limits, others are served meanwhile, and a shutdown does not wait for them.',
  ),
  fault(
    47,
    'The file is edited in place, and its modification time changes late, as on NTFS until the writer closes it',
    'Its bytes decide: each part equals what was hashed, and a file read once is read again. Mixed content is never published.',
  ),
];
