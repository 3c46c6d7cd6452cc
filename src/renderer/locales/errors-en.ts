/** English texts of every error of the service and the app: what happened and what to do. */

import type { ErrorParams, ErrorText, ErrorTexts } from './errors.ts';

const tooLarge =
  (what: string) =>
  ({ limit, ceiling }: ErrorParams): ErrorText => ({
    title: limit === null ? `${what} is too large` : `${what} is larger than ${limit}`,
    advice:
      ceiling === 'server'
        ? 'This server takes nothing larger, whatever the plan. Make it smaller and drop it again.'
        : 'Make it smaller and drop it again, or choose a plan with a higher limit.',
  });

const wait = ({ wait: time }: ErrorParams): string =>
  time === null ? 'Wait a moment before the next try.' : `Wait ${time} before the next try.`;

export const enErrors: ErrorTexts = {
  language: 'en',
  codes: {
    INVALID_INPUT: { title: 'The server did not accept the request', advice: 'Update Linkshot, then try again.' },
    FOLDER_ARCHIVE_INVALID: {
      title: 'The folder could not be packed in a way the server reads',
      advice: 'Rename files with unusual names and share the folder again.',
    },
    FOLDER_EMPTY: {
      title: 'Nothing in the folder can be shared',
      advice: 'After leaving out dependencies, build output and secrets no text file remained. Choose another folder.',
    },
    ONE_TIME_NOT_PUBLIC: {
      title: 'A one-time link cannot be public',
      advice: 'Choose private or unlisted, or turn the one-time link off.',
    },
    UPLOAD_FORMAT_UNSUPPORTED: {
      title: 'This kind of file cannot be shared',
      advice:
        'PNG, JPEG, WebP and AVIF pictures up to 40 megapixels, MP4 and WebM videos, and text can be shared. Convert the file and drop it again.',
    },
    UPLOAD_PART_MISMATCH: {
      title: 'A part of the file arrived damaged',
      advice: 'Try again. If it happens often, check the network or the disk.',
    },
    AUTHORIZATION_PENDING: {
      title: 'The connection has not been approved yet',
      advice: 'Approve it on the page that was opened in your browser.',
    },
    SLOW_DOWN: { title: 'The server asked to slow down', advice: 'Wait a moment before the next try.' },
    ACCESS_DENIED: { title: 'The connection was refused', advice: 'Connect again and approve it in the browser.' },
    EXPIRED_TOKEN: { title: 'The code has expired', advice: 'Connect again to get a new code.' },
    AUTH_REQUIRED: { title: 'The server asks for an API key', advice: 'Connect again with your key.' },
    API_KEY_EXPIRED: {
      title: 'The API key has expired',
      advice: 'Make a new key on the account page of your service and connect again.',
    },
    API_KEY_REVOKED: {
      title: 'The API key was revoked',
      advice: 'Make a new key on the account page of your service and connect again.',
    },
    API_KEY_INVALID: {
      title: 'The server does not know this API key',
      advice: 'Check that the key is complete and belongs to this server, then connect again.',
    },
    ACCOUNT_BANNED: {
      title: 'The account is banned',
      advice: 'Write to the people who run the service, or connect with another account.',
    },
    ACCOUNT_ACCESS_CHANGED: { title: 'Access to the account has changed', advice: 'Connect again to go on.' },
    SCOPE_MISSING: ({ scope }) => ({
      title: scope === null ? 'The API key lacks a permission' : `The API key lacks the permission ${scope}`,
      advice: 'Make a key with this permission on the account page of your service and connect again.',
    }),
    PLAN_FEATURE_REQUIRED: ({ feature, plan, trial }) => ({
      title: feature === null ? 'Your plan does not include this' : `Your plan does not include ${feature}`,
      advice: `Turn it off for this item, or choose ${
        plan === null
          ? 'a plan that includes it'
          : trial === 'available'
            ? `${plan}, which you can try for free`
            : `the plan ${plan}`
      }.`,
    }),
    SHARE_OPEN_REQUIRED: { title: 'The link must be opened first', advice: 'Open the link in the browser.' },
    SHARE_PASSWORD_INVALID: { title: 'The password is wrong', advice: 'Check the password and try again.' },
    DOWNLOAD_DISABLED: {
      title: 'The owner does not allow downloads',
      advice: 'Open the link in the browser to see the item.',
    },
    NOT_FOUND: {
      title: 'The server does not have this any more',
      advice: 'It was probably deleted. Drop the file again to share it anew.',
    },
    SHARE_UNAVAILABLE: {
      title: 'The link is not available',
      advice: 'It was deleted, has expired or is private. Share the file again to get a new link.',
    },
    UPLOAD_STALLED: {
      title: 'The upload came to a standstill',
      advice: 'Check the network. What has arrived is not sent again.',
    },
    ACCOUNT_MISMATCH: {
      title: 'This upload belongs to another account',
      advice: 'Connect with the account it was started under, or remove it and drop the file again.',
    },
    IDEMPOTENCY_CONFLICT: {
      title: 'The server mistook this upload for another one',
      advice: 'Try again to start it anew.',
    },
    COMPLETE_CONFLICT: {
      title: 'The upload was already finished in another way',
      advice: 'Look in the library; if the item is not there, drop the file again.',
    },
    UPLOAD_INCOMPLETE: {
      title: 'Some parts are missing on the server',
      advice: 'Try again; only the missing parts are sent.',
    },
    PASTE_REVISION_CONFLICT: {
      title: 'The note was changed somewhere else meanwhile',
      advice: 'Load the newest text and make your change again.',
    },
    MEDIA_PROCESSING: { title: 'The server is still preparing the video', advice: 'Wait a moment and try again.' },
    TRIAL_UNAVAILABLE: {
      title: 'The trial cannot be started',
      advice: 'See on the account page which plans there are.',
    },
    RENEW_TOO_EARLY: {
      title: 'The key cannot be renewed yet',
      advice: 'It is renewed by itself in the last 30 days before its end.',
    },
    UPLOAD_GONE: {
      title: 'The server no longer holds the unfinished upload',
      advice: 'Unfinished uploads are kept for 24 hours. Try again to send the file anew.',
    },
    CONTENT_GONE: {
      title: 'The published item was deleted or has expired',
      advice: 'Drop the file again to get a new link.',
    },
    UPLOAD_TOO_LARGE: tooLarge('The file'),
    IMAGE_TOO_LARGE: tooLarge('The picture'),
    VIDEO_TOO_LARGE: tooLarge('The video'),
    QUOTA_EXCEEDED: {
      title: 'Your account has no space left',
      advice: 'Delete items you no longer need or choose a bigger plan, then try again.',
    },
    FOLDER_TOO_LARGE: { title: 'The folder holds too much text', advice: 'Share a smaller part of it.' },
    FOLDER_TOO_MANY_FILES: { title: 'The folder holds too many files', advice: 'Share a smaller part of it.' },
    VIDEO_NOT_SUITABLE: ({ problems }) => ({
      title: problems === null ? 'The video cannot be played as it is' : `The video does not fit: ${problems}`,
      advice: 'Save it as MP4 (H.264 with AAC) or WebM (VP9 or AV1 with Opus), up to 3840 × 2160, and drop it again.',
    }),
    FOLDER_INFECTED: {
      title: 'The virus scanner of the server found a threat',
      advice: 'Nothing was stored. Check the folder with a virus scanner of your own.',
    },
    UPLOAD_USER_BUSY: (facts) => ({ title: 'Too many uploads of your account at once', advice: wait(facts) }),
    RATE_LIMITED: (facts) => ({ title: 'Too many requests in a short time', advice: wait(facts) }),
    INTERNAL: {
      title: 'The server failed',
      advice: 'Try again in a moment. If it stays so, tell the people who run the server.',
    },
    UPLOAD_SERVER_BUSY: (facts) => ({ title: 'The server is busy', advice: wait(facts) }),

    NOT_CONNECTED: {
      title: 'Not connected to a server',
      advice: 'Connect in the settings; the upload then starts by itself.',
    },
    CONNECTION_REFUSED: {
      title: 'The server does not accept connections',
      advice: 'Check the address, and whether the server is running.',
    },
    SERVER_UNREACHABLE: {
      title: 'The server cannot be found',
      advice: 'Check the network and the address of the server.',
    },
    NETWORK_FAILED: { title: 'The network connection broke', advice: 'Check the network and try again.' },
    REPLY_TIMEOUT: {
      title: 'The server did not answer in time',
      advice: 'Check the network, or try again when the server is less busy.',
    },
    NOT_THE_SERVICE: {
      title: 'Something else answered in place of the server',
      advice: 'Sign in to the Wi-Fi if it asks you to, or check the address of the server.',
    },
    UNSAFE_ANSWER: {
      title: 'The server sent an unsafe link',
      advice: 'The link was not shown or copied. Check the address of the server, or ask the people who run it.',
    },
    LIST_ENDLESS: {
      title: 'The list of the server does not end',
      advice:
        'Linkshot stopped reading it. The items that were read are in the library. Ask the people who run the server.',
    },
    REDIRECT_REFUSED: {
      title: 'The server points to another address',
      advice: 'Your key was not sent there. Enter the right address in the settings.',
    },
    TLS_FAILED: {
      title: 'The secure connection could not be trusted',
      advice:
        'Check the date of this computer and the address. Ask the people who run the server about its certificate.',
    },
    INSECURE_ADDRESS: {
      title: 'The address is not secure',
      advice: 'Use an address that begins with https://. http:// is only for a server on this computer.',
    },
    ADDRESS_INVALID: {
      title: 'This is not a web address',
      advice: 'Enter an address such as https://share.example.com.',
    },
    SOURCE_MISSING: {
      title: 'The file is no longer where it was',
      advice: 'Put it back and try again, or drop it from its new place.',
    },
    SOURCE_UNREADABLE: {
      title: 'The file cannot be read',
      advice: 'Check its permissions and whether another program has it open, then try again.',
    },
    SOURCE_SECRET: {
      title: 'This looks like a password or a key, so it was not shared',
      advice: 'If others may really read it, open it, copy its text and press Paste.',
    },
    SOURCE_EMPTY: { title: 'The file is empty', advice: 'There is nothing to share in it. Choose another file.' },
    NOTE_EMPTY: { title: 'There is no text to share', advice: 'Type or paste some text first.' },
    NOTE_TOO_LONG: {
      title: 'The text is too long for a note',
      advice: 'A note has at most 200,000 characters. Shorten it, or share it in several notes.',
    },
    NOTE_NOT_TEXT: {
      title: 'This is not text in UTF-8 or UTF-16',
      advice: 'Save a text as UTF-8 and add it again. Drop pictures and videos as they are.',
    },
    SOURCE_NOT_A_FILE: { title: 'This is not a file', advice: 'Only single files can be shared. Choose a file.' },
    SOURCE_NOT_A_FOLDER: { title: 'This is not a folder', advice: 'Choose the folder that holds the code.' },
    SOURCE_CHANGED: {
      title: 'The file was changed during the upload',
      advice: 'Nothing half-changed was published. Try again to upload it as it is now.',
    },
    VIDEO_TOOL_MISSING: {
      title: 'ffmpeg was not found on this computer',
      advice: 'It records the screen and makes videos fit the service. Install it, then try again.',
    },
    VIDEO_UNREADABLE: {
      title: 'No picture of this video can be read',
      advice: 'The file is damaged, or no video at all. Choose another one.',
    },
    VIDEO_FIT_FAILED: {
      title: 'The video could not be made to fit the service',
      advice: 'Try again. If that does not help, convert it to an MP4 yourself and drop that.',
    },
    CAPTURE_UNAVAILABLE: {
      title: 'The screen cannot be captured',
      advice: 'Linkshot finds no screen here, or may not look at it. Capture it from the app on the desktop.',
    },
    CAPTURE_AREA_INVALID: {
      title: 'There is no such region on the screen',
      advice: 'Choose one with “Region”. After that, “Last region” captures it again.',
    },
    IMAGE_UNREADABLE: {
      title: 'This picture cannot be decoded',
      advice:
        'It is damaged, or of a kind that nothing here can read. Save it as PNG or JPEG in the program that made it, and drop that.',
    },
    IMAGE_VECTOR: {
      title: 'SVG drawings are not accepted',
      advice: 'They can hold programs and links. Export the drawing as PNG, and drop that.',
    },
    DISK_FULL: { title: 'The disk of this computer is full', advice: 'Free some space, then try again.' },
    KEY_STORE_FAILED: {
      title: 'The key store of this computer does not take or give the key',
      advice: 'Unlock the key store of this computer, then connect again.',
    },
    CAPTURE_BUSY: {
      title: 'A capture is under way already',
      advice: 'Finish it or give it up, then start the next one.',
    },
    CAPTURE_GONE: { title: 'This capture is over', advice: 'Start it again.' },
    RECORDING_LIMIT: {
      title: 'The recording reached what your account allows, and ended there',
      advice: 'All of it is kept. Record the rest as another one.',
    },
    RECORDING_INTERRUPTED: {
      title: 'The recording broke off',
      advice:
        'What was recorded until then is kept. See that the disk has room and the screen is on, then record the rest.',
    },
    RECORDING_RECOVERED: {
      title: 'A recording was interrupted and found again',
      advice: 'At most its last three seconds are missing. Look at it, then publish or discard it.',
    },
    SAVE_FAILED: {
      title: 'The picture could not be saved to the folder',
      advice: 'Choose a folder in the settings that exists and that you may write to. Nothing else was held up by it.',
    },
    HOTKEY_INVALID: {
      title: 'This is not a hotkey',
      advice: 'Press a combination with Ctrl, Alt, Shift or the system key and one more key, or a function key.',
    },
    HOTKEY_TAKEN: ({ holder }) => {
      if (holder === 'snipping-tool') {
        return {
          title: 'Windows opens its Snipping Tool with the Print Screen key',
          advice:
            'Use another one, or turn off “Use the Print screen key to open screen capture” in the settings of Windows, Accessibility, Keyboard, and ask again.',
        };
      }
      if (holder === 'linkshot')
        return {
          title: 'Another action of Linkshot has this hotkey',
          advice: 'Choose another one for one of the two.',
        };
      return {
        title: 'The hotkey cannot be used',
        advice: 'Another program holds it. Close that program, or choose another hotkey in the settings.',
      };
    },
    PROFILE_BUSY: {
      title: 'Linkshot is already running with this profile',
      advice: 'Use the window that is open, or close it first.',
    },
    PROFILE_NEWER: {
      title: 'The data was written by a newer Linkshot',
      advice: 'Update Linkshot. Nothing was changed.',
    },
    PROFILE_DAMAGED: {
      title: 'The stored queue was damaged and had to be rebuilt',
      advice: 'Look through the queue and the library, and drop again what is missing. The damaged file was set aside.',
    },
    ITEM_UNREADABLE: {
      title: 'This entry cannot be read by this version',
      advice: 'Update Linkshot, or remove the entry and drop the file again.',
    },
    COMMAND_INVALID: { title: 'The window asked for something impossible', advice: 'Reload the window and try again.' },
    TOO_MANY_TAGS: {
      title: 'An item has at most 10 tags',
      advice: 'Take a tag off those that have 10, then add this one again.',
    },
    DRAWING_TOO_LARGE: {
      title: 'There is too much on this picture to keep it as a draft',
      advice: 'It stays as long as this window is open. Upload or save it before you close the window.',
    },
    CANCELLED: { title: 'Cancelled', advice: 'Drop the file again if you want to share it after all.' },
    APP_FAILED: {
      title: 'Something went wrong in Linkshot',
      advice: 'Try again. If it stays so, restart Linkshot; the queue is kept.',
    },
  },
  features: {
    link_expiry: 'an exact expiry date',
    view_limit: 'a limit of views',
    view_stats: 'statistics of views',
    no_branding: 'pages without branding',
  },
  problems: {
    CONTAINER: (actual, allowed) => `it is ${actual} instead of ${allowed}`,
    VIDEO_CODEC: (actual, allowed) => `the video codec is ${actual} instead of ${allowed}`,
    AUDIO_CODEC: (actual, allowed) => `the audio codec is ${actual} instead of ${allowed}`,
    PIXEL_FORMAT: (actual, allowed) => `the pixel format is ${actual} instead of ${allowed}`,
    LONG_SIDE: (actual, allowed) => `the long side has ${actual} pixels, at most ${allowed}`,
    SHORT_SIDE: (actual, allowed) => `the short side has ${actual} pixels, at most ${allowed}`,
    FPS: (actual, allowed) => `${actual} frames per second, at most ${allowed}`,
    DURATION: (actual, allowed) => `it lasts ${actual}, at most ${allowed}`,
    AUDIO_STREAMS: (actual, allowed) => `${actual} audio tracks, at most ${allowed}`,
    BITRATE: (actual, allowed) => `${actual} Mbit/s, at most ${allowed}`,
  },
};
