/** Bytes that can be read at any place: a file, or an encrypted object. */
export interface ByteSource {
  readonly size: number;
  /** Fewer than `length` bytes only where the bytes end. */
  read(position: number, length: number): Promise<Uint8Array>;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
