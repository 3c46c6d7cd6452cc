/** Builds folder bundles, including ones that a real page would never send. */
import { type BundleHead, bundleLead } from '../../../src/common/folder/bundle-format.ts';

export const bundleOf = (
  files: Readonly<Record<string, string>>,
  account: Partial<BundleHead['account']> = {},
  head: Partial<BundleHead> = {},
): Buffer => {
  const bytes = Object.values(files).map((text) => Buffer.from(text));
  const json = JSON.stringify({
    files: Object.keys(files).map((path, index) => ({ path, size: bytes[index]?.length ?? 0 })),
    account: { skipped: [], skippedFiles: 0, uncountedFolders: 0, gitignore: 'none', ...account },
    ...head,
  });
  return Buffer.concat([bundleLead(Buffer.from(json)), ...bytes]);
};
