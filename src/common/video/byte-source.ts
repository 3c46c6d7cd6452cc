/**
 * Interface for reading bytes at any offset, from a file or from an encrypted object. Also makes a `DataView` of bytes.
 */
export interface ByteSource {
  readonly size: number;
  /** Returns fewer than `length` bytes only at the end. */
  read(position: number, length: number): Promise<Uint8Array>;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
