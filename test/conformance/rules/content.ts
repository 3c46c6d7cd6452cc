/** What is shared, and its record. */
import { section, shown } from './rule.ts';

export const CONTENT_RULES = [
  ...section(
    'S',
    'What the service does',
    shown(
      'Every item has a share page at {web_origin}/s/{id}.',
      'pages/pages: shows an image with all its metadata, on a phone without scrolling sideways',
      'sharing/share: on its page, its media',
    ),
    shown(
      'Access is controlled by visibility, password, one-time link, expiry and view limit.',
      'sharing/access: is followed in every combination',
    ),
    shown(
      'Images are PNG, JPEG, WebP or AVIF.',
      'media/signature: of a %s image',
      'media/media-inspector: An image > of type %s is recognised',
    ),
    shown('Images have at most 40 megapixels.', 'media/media-inspector: may have 40,000,000 pixels'),
    shown(
      'Videos are MP4 or WebM that meet limits.video; other video is refused, not converted.',
      'media/signature: of MP4 and WebM',
      'uploads/complete: of a video outside limits.video',
    ),
    shown(
      'A note is plain text, Markdown with tables and task lists, or code with highlighting.',
      'pages/note: shows Markdown, loads nothing from elsewhere, and names its kind',
      'pages/note: shows code of %s',
      'pages/note: shows plain text unchanged',
      'notes/markdown: makes tables',
      'notes/markdown: renders task lists with read-only boxes that show their state',
    ),
    shown(
      'A note has up to 200,000 characters.',
      'notes/rules: may have 200,000 characters',
      'notes/api: takes 200,000 characters',
    ),
    shown('The quota counts the UTF-8 bytes of a note.', 'notes/api: counts UTF-8 bytes'),
    shown('Editing a note is guarded by its revision.', 'notes/api: needs the revision'),
    shown(
      'Address, password and access of a note stay when its text is edited.',
      'notes/api: not the address or the access',
      'notes/api: lets a link that was opened stay open',
    ),
    shown(
      'Code has one of fifteen languages.',
      'notes/highlight: in each language of the API',
      'pages/note: shows code of %s',
    ),
    shown(
      'A code folder is one ZIP; the server decides which files stay and lists what it left out.',
      'folders/route: what became of every file',
    ),
    shown(
      'The page of a folder shows its tree with highlighting.',
      'pages/folder: lists its files as a tree',
      'notes/highlight: in a folder by the name',
    ),
    shown('"Download all" of a folder gives the ZIP of GET /api/media/{id}?download=1.', 'pages/folder: the same ZIP'),
    shown('All keys of an account share its limits.', 'http/budgets: for all keys of an account'),
  ),
  ...section(
    'C',
    'Content',
    shown(
      'The record has the 40 fields of the document, required ones always.',
      'server/openapi/document: the Content record with its 40 fields',
      'content/content: has the fields of the document',
    ),
    shown('title has up to 180 characters.', 'content/fields: has up to 180 characters, counted as code points'),
    shown('There are up to 10 tags of 1 to 32 characters.', 'content/fields: Tags > are refused'),
    shown(
      'Tags are normalized: NFKC, trimmed, spaces collapsed, lowercased, deduplicated.',
      'content/fields: Tags > %j become',
      'content/fields: stay as they are when they are normalized again',
    ),
    shown('Raw control characters in tags are invalid.', 'content/fields: Tags > are refused'),
    shown(
      'On update omission keeps tags, an empty array clears them.',
      'content/content: changes the given fields and keeps the others',
    ),
    shown('originalName is the name of the file.', 'content/content: has the fields of the document'),
    shown('type is IMAGE, VIDEO, PASTE or FOLDER.', 'conformance/resources: each kind of content'),
    shown(
      'mime is the type of the stored file.',
      'media/media-route: under the type that its bytes have',
      'conformance/resources: each kind of content',
    ),
    shown(
      'pasteFormat and pasteLanguage tell of notes and are null elsewhere.',
      'notes/api: publishes a note of code',
      'conformance/resources: each kind of content',
    ),
    shown(
      'folderFiles is the number of files of a folder, null for other kinds.',
      'folders/route: is 201 with the fields of the item',
      'conformance/resources: each kind of content',
    ),
    shown('revision counts edits of the text and is apart from accessVersion.', 'notes/api: which has its own version'),
    shown(
      'accessVersion is 1 for a new item and raised by every change of visibility, password or one-time.',
      'content/content: raises accessVersion',
    ),
    shown(
      'From accessVersion 2 on url carries ?v=; the page ignores it and older links keep working.',
      'content/content: raises accessVersion',
    ),
    shown('size is in bytes.', 'content/content: has the fields of the document'),
    shown(
      'private items are for their owner only.',
      'sharing/access: is followed in every combination',
      'sharing/share: answers the same bytes for every cause',
    ),
    shown('unlisted items are for whoever has the link.', 'sharing/share: unlisted it is not in the API'),
    shown(
      'public items are in the feed and the profile too.',
      'server/lists/lists: shows public items of everyone',
      'server/lists/lists: shows the public items of its account',
    ),
    shown(
      'allowDownload tells whether others may download.',
      'media/media-route: that the owner does not allow is 403',
    ),
    shown(
      'passwordProtected tells of a password, which is never returned.',
      'content/content: takes title, tags, visibility, ttl, password',
      'sharing/share: A password > locks',
    ),
    shown(
      'consumedAt, readExpiresAt and readMaxExpiresAt tell of a one-time link.',
      'sharing/share: serves its viewer for ten minutes',
    ),
    shown(
      'views counts explicit opens of guests once while the grant lasts, never previews of the owner.',
      'sharing/share: counts a view once per browser',
    ),
    shown(
      'viewLimit is 1 to 1,000,000 or null and needs the feature view_limit.',
      'content/content: needs the plan for expiresAt and viewLimit',
      'conformance/resources: a view limit',
    ),
    shown(
      'After viewLimit counted views the link is 404 SHARE_UNAVAILABLE, but for the owner and viewers with a grant.',
      'sharing/share: lets exactly as many of 50 browsers in',
    ),
    shown(
      'Media of a limited item is served only after an explicit open.',
      'sharing/access: is followed in every combination',
    ),
    shown(
      'viewLimitReachedAt is set when the limit was used up, else null.',
      'sharing/share: that is raised lets more in',
    ),
    shown(
      'mediaStatus is PROCESSING, READY or FAILED; new videos are processed asynchronously.',
      'server/media/previews: is PROCESSING until its poster',
    ),
    shown('Playback and previews of a video need READY.', 'media/media-route: A video that is not ready > (%s)'),
    shown(
      'The owner may download the original of a video that is not ready, as application/octet-stream attachment.',
      'media/media-route: A video that is not ready > (%s)',
    ),
    shown('mediaError says why processing failed.', 'server/media/previews: without one frame that decodes is FAILED'),
    shown(
      'width and height are in pixels, durationMs in milliseconds, videoCodec and hasAudio tell of a video.',
      'media/media-inspector: A video > is recognised with its metadata',
      'media/media-inspector: has the width and height of its display',
    ),
    shown(
      'previewUrl leads to an encrypted derived preview with the same access checks as the source.',
      'server/media/previews: is served only to requesters with access to the item',
      'storage/at-rest: shows no byte',
    ),
    shown('mediaUrl is the path /api/media/{id}.', 'content/content: has the fields of the document'),
    shown(
      'An item on hold (review, blocked) is for others exactly like a private one; only the owner sees the value.',
      'sharing/share: answers the same bytes for every cause',
      'operation/command-line: content hold hides an item',
    ),
    shown('favorite, owned and author are there in lists.', 'server/lists/lists: with favorite, owned and author'),
  ),
];
