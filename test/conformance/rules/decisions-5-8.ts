/** What the API document does not show, as API decisions 5 to 8 say it. */
import { decided, section } from './rule.ts';

export const DECISIONS_5_TO_8 = [
  ...section(
    'D5.',
    'Decisions 5: rate limits',
    decided(
      'Budgets are windows of a minute for each account: 60, 240 and 1,200.',
      'http/budgets: is 60 requests a minute',
      'http/budgets: is apart from those of uploads',
    ),
    decided('The three headers name the budget of the route that was called.', 'conformance/uploads: the rate headers'),
    decided(
      'Guests count by address: an IPv4 address, or the /64 and the /56 of an IPv6 address.',
      'http/budgets: draw from the budget of their address',
      'http/networks: draw from the budget of their /64, and of their /56',
    ),
    decided(
      'X-Forwarded-For counts only where the operator trusts a proxy.',
      'http/budgets: only where the operator trusts a proxy',
    ),
  ),
  ...section(
    'D6.',
    'Decisions 6: access to a share item',
    decided(
      'The thirteen rows of the table, the first that matches, for page, open, media and API.',
      'sharing/access: is followed in every combination',
    ),
    decided(
      'Row 1: what is unknown or deleted is 404 everywhere.',
      'sharing/access: hides what does not exist',
      'sharing/share: answers the same bytes for every cause',
    ),
    decided('Row 2: a bad key is 401 everywhere.', 'sharing/share: is 401 for a bad key'),
    decided(
      'Row 3: what is expired is 404; the API tells its owner 410.',
      'sharing/share: returns 410 to the owner of an expired item in the API, and 404 everywhere else',
    ),
    decided(
      'Row 4: the owner sees all and consumes nothing.',
      'sharing/share: sees page and media of an item that is held',
    ),
    decided(
      'Rows 5, 6: held and private items are 404 to others, an old grant too.',
      'sharing/access: gives no media to anyone but the owner',
      'sharing/share: answers the same bytes for every cause',
    ),
    decided(
      'Row 7: a live grant opens page and media without a recount; one-time until its 10 minutes end.',
      'sharing/share: counts a view once per browser',
      'sharing/share: A one-time stream',
    ),
    decided(
      'Rows 8, 9: a consumed link and a used-up limit are 404.',
      'sharing/share: lets the first of 50 browsers in',
      'sharing/share: lets exactly as many of 50',
    ),
    decided(
      'Row 10: a password locks page, media and API without any metadata.',
      'sharing/share: locks page, media and API',
      'pages/note: shows nothing of it before',
    ),
    decided(
      'Rows 10 to 13: by the API another account reads an unlisted item in no state.',
      'sharing/access: shows another account an unlisted item in no state',
      'sharing/unlisted: is 404 in content, text and views',
      'sharing/unlisted: becomes no favorite and enters no album',
    ),
    decided(
      'Everything of a banned account is closed to others until the ban is lifted.',
      'accounts/ban: has its links, media, favorites, albums',
    ),
    decided(
      'Row 11: an unused one-time link shows a button.',
      'sharing/share: shows them only a button',
      'pages/pages: is opened once by its button, and is not available to the next browser',
    ),
    decided('Row 12: with views left the link shows a button and counts.', 'sharing/share: lets exactly as many of 50'),
    decided(
      'Row 13: a plain item is open to all; in the API public ones only.',
      'sharing/share: unlisted it is not in the API',
    ),
    decided(
      '404 is SHARE_UNAVAILABLE, byte for byte the same for every cause.',
      'sharing/share: answers the same bytes for every cause',
    ),
    decided(
      'GET and HEAD never consume, count or open.',
      'sharing/share: is not consumed by a hundred looks',
      'pages/pages: counts the view of a browser once and none of a bot',
    ),
    decided(
      'A wrong password consumes nothing; the eleventh in 15 minutes is 429.',
      'sharing/share: may be guessed wrong ten times',
      'http/networks: wrong passwords of one /64 are 429',
    ),
    decided(
      'From everywhere together an item is slowed down for strangers, and a name is only delayed.',
      'server/passwords: slow an item down for other visitors, with 429 and seconds to wait, and never its owner or a visitor who has opened it',
      'server/passwords: delay the sign-ins of a name increasingly, and refuse none of them',
    ),
    decided(
      'Media that is not READY is 409 MEDIA_PROCESSING to others.',
      'media/media-route: A video that is not ready > (%s)',
    ),
    decided(
      'A download that is not allowed is 403 DOWNLOAD_DISABLED but to the owner.',
      'media/media-route: that the owner does not allow is 403',
    ),
    decided(
      'Link previews tell of plain items only, of unlisted ones with unlistedPreviews, never of limited ones.',
      'sharing/access: allows link previews of plain items only, of unlisted ones as the owner chose',
      'pages/pages: never describe protected, one-time or limited items',
    ),
    decided(
      'The grant is an HttpOnly SameSite=Lax cookie of 128 random bits, kept on the server.',
      'sharing/share: gives a grant in a cookie',
    ),
  ),
  ...section(
    'D7.',
    'Decisions 7: folders',
    decided(
      'The checks come in their order: service, dependencies, build, secret, gitignore, name, path, large, binary, duplicate.',
      'folders/rules: %s before %s',
    ),
    decided(
      'The single top folder is stripped first; counts are of what is left.',
      'folders/rules: is dropped from the paths',
      'folders/rules: 2,000 files stay',
    ),
    decided('Bytes before or after the ZIP are 400.', 'folders/read-archive: a bad archive is refused'),
    decided('Entries of folders are ignored.', 'folders/rules: folders that are listed and empty'),
    decided(
      'More than 50,000 raw entries are 400.',
      'folders/hostile-archives: costs less than',
      'folders/read-archive: a bad archive is refused',
    ),
    decided('A month is 30 days.', 'conformance/resources: a month is 30 days'),
    decided(
      'git check-ignore is the judge of .gitignore.',
      'folders/gitignore: on generated pairs',
      'folders/gitignore: on the trees of installed packages',
    ),
    decided(
      'Patterns that would take too long make the file complex.',
      'folders/gitignore: patterns that need too much work are not evaluated',
      'folders/rules: that needs too much work is complex, and no pattern is applied',
    ),
    decided(
      'The client filters by the same rules before it zips and never sends a secret.',
      'folder/outcome: of real trees the app sends what git lists, less the rules of the service',
      'folder/outcome: the app shows what the service then keeps',
      'folder/secrets: each kind of secret that is planted',
    ),
  ),
  ...section(
    'D8.',
    'Decisions 8: configuration',
    decided(
      'Every key is optional and has its documented default.',
      'server/operation/config: has the documented defaults',
      'server/operation/config: changes only the configured keys',
    ),
    decided(
      'An unknown key or a wrong type stops the start with a sentence that names it.',
      'server/operation/config: is refused with a sentence that names the key',
      'operation/command-line: does not start and names the key',
    ),
    decided(
      'limits.video of the account is the video object.',
      'accounts/account: has the 16 fields',
      'conformance/numbers: limits.video of the account',
    ),
  ),
];
