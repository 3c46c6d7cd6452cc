/** English texts of every error of the service and the app: what happened and what to do. */

import type { ErrorParams, ErrorText, ErrorTexts } from '../describe-failure.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('en');

const tooLarge =
  (what: string) =>
  ({ limit, ceiling }: ErrorParams): ErrorText => ({
    title: limit === null ? `${what} is too large` : `${what} is larger than ${limit}`,
    advice:
      ceiling === 'server'
        ? 'This server doesn’t accept larger files on any plan. Make it smaller and drop it again.'
        : 'Make it smaller and drop it again, or choose a plan with a higher limit.',
  });

const wait = ({ wait: time }: ErrorParams): string =>
  time === null ? 'Wait a moment, then try again.' : `Wait ${time}, then try again.`;

export const enErrors: ErrorTexts = {
  language: 'en',
  codes: {
    INVALID_INPUT: { title: 'The server didn’t accept the request', advice: 'Update Linkshot, then try again.' },
    FOLDER_ARCHIVE_INVALID: {
      title: 'The server couldn’t read the packed folder',
      advice: 'Rename files with unusual names and share the folder again.',
    },
    FOLDER_EMPTY: {
      title: 'Nothing in the folder can be shared',
      advice: 'No text files remain after excluding dependencies, build output and secrets. Choose another folder.',
    },
    ONE_TIME_NOT_PUBLIC: {
      title: 'A one-time link can’t be public',
      advice: 'Choose private or unlisted, or turn the one-time link off.',
    },
    UPLOAD_FORMAT_UNSUPPORTED: {
      title: 'This kind of file can’t be shared',
      advice:
        'PNG, JPEG, WebP and AVIF images up to 40 megapixels, MP4 and WebM videos, and text can be shared. Convert the file and drop it again.',
    },
    UPLOAD_PART_MISMATCH: {
      title: 'Part of the file was damaged in transit',
      advice: 'Try again. If it happens often, check the network or the disk.',
    },
    AUTHORIZATION_PENDING: {
      title: 'The connection hasn’t been approved yet',
      advice: 'Approve it on the page that was opened in your browser.',
    },
    SLOW_DOWN: { title: 'The server is getting too many requests', advice: 'Wait a moment, then try again.' },
    ACCESS_DENIED: { title: 'The connection was denied', advice: 'Connect again and approve it in the browser.' },
    EXPIRED_TOKEN: { title: 'The code has expired', advice: 'Connect again to get a new code.' },
    AUTH_REQUIRED: { title: 'The server requires an API key', advice: 'Connect again with your key.' },
    API_KEY_EXPIRED: {
      title: 'The API key has expired',
      advice: 'Create a new key on your account page and connect again.',
    },
    API_KEY_REVOKED: {
      title: 'The API key was revoked',
      advice: 'Create a new key on your account page and connect again.',
    },
    API_KEY_INVALID: {
      title: 'The server doesn’t recognise this API key',
      advice: 'Check that the key is complete and belongs to this server, then connect again.',
    },
    ACCOUNT_BANNED: {
      title: 'The account is banned',
      advice: 'Contact the server admin, or connect with another account.',
    },
    ACCOUNT_ACCESS_CHANGED: { title: 'Access to the account has changed', advice: 'Connect again to continue.' },
    SCOPE_MISSING: ({ scope }) => ({
      title: scope === null ? 'The API key lacks a permission' : `The API key lacks the permission ${scope}`,
      advice: 'Create a key with this permission on your account page and connect again.',
    }),
    PLAN_FEATURE_REQUIRED: ({ feature, plan, trial }) => ({
      title: feature === null ? 'Your plan doesn’t include this' : `Your plan doesn’t include ${feature}`,
      advice: `Turn it off for this item, or choose ${
        plan === null
          ? 'a plan that includes it'
          : trial === 'available'
            ? `the ${plan} plan, which you can try for free`
            : `the ${plan} plan`
      }.`,
    }),
    SHARE_OPEN_REQUIRED: { title: 'The link must be opened first', advice: 'Open the link in the browser.' },
    SHARE_PASSWORD_INVALID: { title: 'Incorrect password', advice: 'Check the password and try again.' },
    DOWNLOAD_DISABLED: {
      title: 'The owner doesn’t allow downloads',
      advice: 'Open the link in the browser to see the item.',
    },
    NOT_FOUND: {
      title: 'No longer on the server',
      advice: 'It was probably deleted. Drop the file again to share it.',
    },
    SHARE_UNAVAILABLE: {
      title: 'The link isn’t available',
      advice: 'It was deleted, has expired or is private. Share the file again to get a new link.',
    },
    UPLOAD_STALLED: {
      title: 'The upload stalled',
      advice: 'Check the network. Finished parts won’t be uploaded again.',
    },
    ACCOUNT_MISMATCH: {
      title: 'This upload belongs to another account',
      advice: 'Connect with the account it was started under, or remove it and drop the file again.',
    },
    IDEMPOTENCY_CONFLICT: {
      title: 'The server mistook this upload for another one',
      advice: 'Try again to restart it.',
    },
    COMPLETE_CONFLICT: {
      title: 'The upload was already finished with other settings',
      advice: 'Check the library. If the item isn’t there, drop the file again.',
    },
    UPLOAD_INCOMPLETE: {
      title: 'Some parts are missing on the server',
      advice: 'Try again. Only the missing parts will be uploaded.',
    },
    PASTE_REVISION_CONFLICT: {
      title: 'The note was changed elsewhere in the meantime',
      advice: 'Load the latest version and make your change again.',
    },
    MEDIA_PROCESSING: { title: 'The video is still being processed', advice: 'Wait a moment and try again.' },
    TRIAL_UNAVAILABLE: {
      title: 'The trial can’t be started',
      advice: 'See the available plans on your account page.',
    },
    RENEW_TOO_EARLY: {
      title: 'The key can’t be renewed yet',
      advice: 'It renews automatically in the 30 days before it expires.',
    },
    UPLOAD_GONE: {
      title: 'The server no longer has the unfinished upload',
      advice: 'Unfinished uploads are kept for 24 hours. Try again to upload the file from the start.',
    },
    CONTENT_GONE: {
      title: 'The item was deleted or has expired',
      advice: 'Drop the file again to get a new link.',
    },
    UPLOAD_TOO_LARGE: tooLarge('The file'),
    IMAGE_TOO_LARGE: tooLarge('The image'),
    VIDEO_TOO_LARGE: tooLarge('The video'),
    QUOTA_EXCEEDED: {
      title: 'Your account is out of storage',
      advice: 'Delete items you no longer need or choose a plan with more storage, then try again.',
    },
    FOLDER_TOO_LARGE: { title: 'The folder contains too much text', advice: 'Share a smaller part of it.' },
    FOLDER_TOO_MANY_FILES: { title: 'The folder contains too many files', advice: 'Share a smaller part of it.' },
    VIDEO_NOT_SUITABLE: ({ problems }) => ({
      title: problems === null ? 'The video isn’t supported' : `The video isn’t supported: ${problems}`,
      advice: 'Save it as MP4 (H.264 with AAC) or WebM (VP9 or AV1 with Opus), up to 3840 × 2160, and drop it again.',
    }),
    FOLDER_INFECTED: {
      title: 'The server’s virus scanner found a threat',
      advice: 'Nothing was stored. Scan the folder with your own virus scanner.',
    },
    UPLOAD_USER_BUSY: (facts) => ({ title: 'Too many simultaneous uploads in your account', advice: wait(facts) }),
    RATE_LIMITED: (facts) => ({ title: 'Too many requests in a short time', advice: wait(facts) }),
    INTERNAL: {
      title: 'Server error',
      advice: 'Try again in a moment. If it keeps happening, contact the server admin.',
    },
    UPLOAD_SERVER_BUSY: (facts) => ({ title: 'The server is busy', advice: wait(facts) }),

    NOT_CONNECTED: {
      title: 'Not connected to a server',
      advice: 'Connect in the settings. The upload then starts automatically.',
    },
    CONNECTION_REFUSED: {
      title: 'The server refused the connection',
      advice: 'Check the address and whether the server is running.',
    },
    SERVER_UNREACHABLE: {
      title: 'The server can’t be found',
      advice: 'Check the network and the address of the server.',
    },
    NETWORK_FAILED: { title: 'The network connection was lost', advice: 'Check the network and try again.' },
    REPLY_TIMEOUT: {
      title: 'The server took too long to respond',
      advice: 'Check the network, or try again when the server is less busy.',
    },
    NOT_THE_SERVICE: {
      title: 'Something else responded instead of the server',
      advice: 'Sign in to the Wi-Fi if it asks you to, or check the address of the server.',
    },
    UNSAFE_ANSWER: {
      title: 'The server sent an unsafe link',
      advice: 'The link wasn’t shown or copied. Check the server address, or contact the server admin.',
    },
    LIST_ENDLESS: {
      title: 'The server’s list doesn’t end',
      advice: 'Linkshot stopped reading it. The items loaded so far are in the library. Contact the server admin.',
    },
    REDIRECT_REFUSED: {
      title: 'The server redirected to another address',
      advice: 'Your key wasn’t sent there. Enter the right address in the settings.',
    },
    TLS_FAILED: {
      title: 'The server’s certificate isn’t trusted',
      advice: 'Check this computer’s date and the server address. Ask the server admin about the certificate.',
    },
    INSECURE_ADDRESS: {
      title: 'The address isn’t secure',
      advice: 'Use an address that begins with https://. http:// is only for a server on this computer.',
    },
    ADDRESS_INVALID: {
      title: 'This isn’t a web address',
      advice: 'Enter an address such as https://share.example.com.',
    },
    SOURCE_MISSING: {
      title: 'The file is no longer where it was',
      advice: 'Put it back and try again, or drop it from its new place.',
    },
    SOURCE_UNREADABLE: ({ name, isRemote, isDriveAway }) =>
      isRemote
        ? {
            title: 'The folder’s git settings lead to another computer',
            advice: `Linkshot doesn’t open ${name} because only the folder names it. Remove that path from its .git, or share a copy without .git.`,
          }
        : isDriveAway
          ? {
              title: 'The file can’t be read right now',
              advice: `Check that its drive is connected${name === null ? '' : `, and that ${name} can be opened`}, then try again.`,
            }
          : {
              title: 'The file can’t be read',
              advice: `Check ${name === null ? 'its permissions' : `the permissions of ${name}`} and whether another program has it open, then try again.`,
            },
    SOURCE_SECRET: {
      title: 'This looks like a password or a key, so it wasn’t shared',
      advice: 'To share it anyway, open it, copy its text and press Paste.',
    },
    SOURCE_EMPTY: { title: 'The file is empty', advice: 'Choose another file.' },
    CLIPBOARD_NO_IMAGE: { title: 'There is no image on the clipboard', advice: 'Copy an image first.' },
    NOTE_EMPTY: { title: 'There is no text to share', advice: 'Type or paste some text first.' },
    NOTE_TOO_LONG: {
      title: 'The text is too long for a note',
      advice: 'A note can have up to 200,000 characters. Shorten it, or share it in several notes.',
    },
    TOO_MANY_DRAFTS: {
      title: 'There are already 16 unfinished notes',
      advice: 'Start a new note to open one of them, share or discard it, then try again.',
    },
    NOTE_NOT_TEXT: {
      title: 'This isn’t UTF-8 or UTF-16 text',
      advice: 'Save the text as UTF-8 and add it again. Drop images and videos directly.',
    },
    SOURCE_NOT_A_FILE: {
      title: 'This isn’t a file',
      advice: 'Choose a file. To share a folder of code, use “Choose folder”.',
    },
    SOURCE_NOT_A_FOLDER: { title: 'This isn’t a folder', advice: 'Choose the folder that contains the code.' },
    SOURCE_CHANGED: {
      title: 'The file was changed during the upload',
      advice: 'Nothing was shared. Try again to upload the current version.',
    },
    VIDEO_TOOL_MISSING: {
      title: 'ffmpeg wasn’t found on this computer',
      advice: 'Linkshot needs it to record the screen and convert videos. Install it, then try again.',
    },
    VIDEO_UNREADABLE: {
      title: 'This video can’t be read',
      advice: 'The file is damaged or isn’t a video. Choose another one.',
    },
    VIDEO_FIT_FAILED: {
      title: 'The video couldn’t be converted',
      advice: 'Try again. If that doesn’t help, convert it to MP4 yourself and drop that file.',
    },
    CAPTURE_UNAVAILABLE: {
      title: 'The screen can’t be captured',
      advice: 'Linkshot found no screen, or isn’t allowed to capture it. Run “linkshot doctor” to see what’s missing.',
    },
    CAPTURE_AREA_INVALID: {
      title: 'This region isn’t on the screen',
      advice: 'Select one with “Region”. Then “Last region” captures it again.',
    },
    IMAGE_UNREADABLE: {
      title: 'This image can’t be decoded',
      advice: 'It’s damaged or in an unsupported format. Save it as PNG or JPEG and drop that file.',
    },
    IMAGE_VECTOR: {
      title: 'SVG files aren’t supported',
      advice: 'They can contain scripts and links. Export the drawing as PNG and drop that file.',
    },
    DISK_FULL: { title: 'This computer’s disk is full', advice: 'Free some space, then try again.' },
    KEY_STORE_FAILED: ({ keyLeftFor }) =>
      keyLeftFor === null
        ? {
            title: 'Couldn’t access this computer’s keychain',
            advice: 'Unlock the keychain, then connect again.',
          }
        : {
            title: 'A key may still be in this computer’s keychain',
            advice: `The account was removed, but the keychain couldn’t be accessed. Revoke the key on your account page at ${keyLeftFor}.`,
          },
    CAPTURE_BUSY: {
      title: 'A capture is already in progress',
      advice: 'Finish or cancel it, then start the next one.',
    },
    CAPTURE_GONE: ({ isQueued }) =>
      isQueued
        ? {
            title: 'This recording has already been shared, with other settings',
            advice: 'Another window or a command was faster. You can change the settings when the item has a link.',
          }
        : { title: 'This capture has ended', advice: 'Start a new one.' },
    RECORDING_LIMIT: {
      title: 'The recording reached your account’s limit and was stopped',
      advice: 'Everything so far is saved. Record the rest separately.',
    },
    RECORDING_INTERRUPTED: {
      title: 'The recording was interrupted',
      advice:
        'Everything up to that point is saved. Make sure the disk has space and the screen is on, then record the rest.',
    },
    RECORDING_RECOVERED: {
      title: 'An interrupted recording was recovered',
      advice: 'Up to three seconds at the end may be missing. Review it, then share or discard it.',
    },
    INPUT_NOT_SHOWN: {
      title: 'Clicks and shortcuts aren’t shown in the recording',
      advice:
        'The recording itself isn’t affected. They can be shown in X11 sessions with the RECORD and SHAPE extensions.',
    },
    CAMERA_NOT_SHOWN: ({ camera, name }) => {
      const which = name === null ? 'The camera' : `The camera ${name}`;
      switch (camera) {
        case 'missing':
          return {
            title: name === null ? 'No camera was found for the recording' : `${which} isn’t connected`,
            advice: 'The recording goes on without it. Connect it, or choose another one in the settings.',
          };
        case 'busy':
          return {
            title: `${which} is used by another app`,
            advice: 'The recording goes on without it. Close that app, then pause and resume the recording.',
          };
        case 'denied':
          return {
            title: `${which} can’t be used: permission denied`,
            advice:
              'The recording goes on without it. Allow it in the privacy settings of the system. On Linux, add your user to the group “video”.',
          };
        case 'gone':
          return {
            title: `${which} was disconnected`,
            advice: 'The recording goes on without it. Connect it again, then pause and resume the recording.',
          };
        default:
          return {
            title: `${which} sends no picture`,
            advice: 'The recording goes on without it. Connect it again, or choose another one in the settings.',
          };
      }
    },
    SAVE_FAILED: {
      title: 'The image couldn’t be saved to the folder',
      advice: 'In the settings, choose an existing folder that you can write to. Nothing else was affected.',
    },
    HOTKEY_INVALID: {
      title: 'This isn’t a valid hotkey',
      advice: 'Press a combination with Ctrl, Alt, Shift or the system key and one more key, or a function key.',
    },
    HOTKEY_TAKEN: ({ holder }) => {
      if (holder === 'snipping-tool') {
        return {
          title: 'Windows opens its Snipping Tool with the Print Screen key',
          advice:
            'Choose another hotkey, or use this one for Linkshot. That turns off “Use the Print screen key to open screen capture” in Windows Settings > Accessibility > Keyboard.',
        };
      }
      if (holder === 'desktop') {
        return {
          title: 'The desktop gave Linkshot no key',
          advice:
            'Choose another hotkey and try again, or set one for Linkshot in the shortcuts of the desktop’s settings.',
        };
      }
      if (holder === 'linkshot')
        return {
          title: 'Linkshot already uses this hotkey',
          advice: 'Choose another one for one of the two actions.',
        };
      return {
        title: 'The hotkey can’t be used',
        advice: 'Another app uses it. Close that app, or choose another hotkey in the settings.',
      };
    },
    PROFILE_BUSY: {
      title: 'Linkshot is already running with this profile',
      advice: 'Use the open window, or close it first.',
    },
    PROFILE_NEWER: {
      title: 'The data was written by a newer version of Linkshot',
      advice: 'Update Linkshot. Nothing was changed.',
    },
    PROFILE_DAMAGED: {
      title: 'The queue was damaged or replaced, and was rebuilt',
      advice: 'Check the queue and the library, and add missing files again. A damaged file was kept.',
    },
    ITEM_UNREADABLE: {
      title: 'This version can’t read this item',
      advice: 'Update Linkshot, or remove the item and drop the file again.',
    },
    COMMAND_INVALID: { title: 'The window sent an invalid command', advice: 'Reload the window and try again.' },
    TOO_MANY_TAGS: {
      title: 'An item can have up to 10 tags',
      advice: 'Remove a tag from the items that have 10, then add this one again.',
    },
    TEXT_DATA_MISSING: {
      title: 'The data for this language isn’t installed',
      advice:
        'Install Tesseract’s data for it, such as the package tesseract-ocr-rus on Debian and Ubuntu, and try again.',
    },
    TEXT_NOT_READ: {
      title: 'The text in the image couldn’t be read',
      advice: 'Select a smaller part of the image, or try again.',
    },
    SECRETS_FOUND: ({ count }) => ({
      title: `Needs your look: ${plural(count, { one: '1 place looks', other: `${count} places look` })} secret`,
      advice: 'Look at it in the editor, and hide each place or leave it.',
    }),
    SECRETS_UNCHECKED: {
      title: 'Needs your look: it couldn’t be checked for secrets',
      advice: 'Look at it in the editor before it’s sent, or have it checked again.',
    },
    SECRETS_NOT_HIDDEN: {
      title: 'Not everything that looks secret could be hidden',
      advice: 'Nothing was saved or sent. Hide it yourself in the editor.',
    },
    UPLOADED_UNCHECKED: ({ name }) => ({
      title: `${name ?? 'A capture'} was uploaded without a check for secrets`,
      advice: 'Its text couldn’t be read. Look at it yourself, and delete its link if it shows too much.',
    }),
    MAYBE_PUBLISHED: ({ name }) => ({
      title: `${name ?? 'An item'} was removed from the queue and may be published`,
      advice: 'The server couldn’t be asked. Look at your items on its website, and delete it there.',
    }),
    DRAWING_NOT_APPLIED: {
      title: 'The capture has edits that aren’t in the image',
      advice: 'Nothing was sent, saved or copied. Open it in the editor again, and share it from there.',
    },
    DRAWING_TOO_LARGE: {
      title: 'There are too many annotations to save as a draft',
      advice: 'They’re kept while this window is open. Share or save the image before you close the window.',
    },
    CANCELLED: { title: 'Cancelled', advice: 'Drop the file again to share it.' },
    APP_FAILED: {
      title: 'Something went wrong in Linkshot',
      advice: 'Try again. If it keeps happening, restart Linkshot. Your queue is saved.',
    },
  },
  features: {
    link_expiry: 'an exact expiry date',
    view_limit: 'view limits',
    view_stats: 'view statistics',
    no_branding: 'pages without branding',
  },
  problems: {
    CONTAINER: (actual, allowed) => `it is ${actual} instead of ${allowed}`,
    VIDEO_CODEC: (actual, allowed) => `the video codec is ${actual} instead of ${allowed}`,
    AUDIO_CODEC: (actual, allowed) => `the audio codec is ${actual} instead of ${allowed}`,
    PIXEL_FORMAT: (actual, allowed) => `the pixel format is ${actual} instead of ${allowed}`,
    LONG_SIDE: (actual, allowed) => `the long side is ${actual} pixels, and the limit is ${allowed}`,
    SHORT_SIDE: (actual, allowed) => `the short side is ${actual} pixels, and the limit is ${allowed}`,
    FPS: (actual, allowed) => `${actual} frames per second, and the limit is ${allowed}`,
    DURATION: (actual, allowed) => `it lasts ${actual}, and the limit is ${allowed}`,
    AUDIO_STREAMS: (actual, allowed) => `${actual} audio tracks, and the limit is ${allowed}`,
    BITRATE: (actual, allowed) => `${actual} Mbit/s, and the limit is ${allowed}`,
  },
};
