/** The right (lease) to write one range of a staged object. Every write to an object of known size requires it. */

/**
 * Only the owner of an object's row creates one (`uploads/part-leases.ts`; enforced by `.dependency-cruiser.mjs`),
 * because only the row knows which bytes are unconfirmed.
 */
export class WriteLease {
  readonly objectId: string;
  /** Bytes of plaintext from the start of the object. */
  readonly position: number;
  readonly length: number;
  #ended = false;

  constructor(objectId: string, { position, length }: { readonly position: number; readonly length: number }) {
    this.objectId = objectId;
    this.position = position;
    this.length = length;
  }

  /** From now on it permits no writes. */
  end(): void {
    this.#ended = true;
  }

  /** Throws unless `length` bytes of the object `id` may be written under this lease now. */
  check(id: string, length: number): void {
    if (this.#ended) throw new Error(`The right to write to object ${id} has ended.`);
    if (this.objectId !== id || this.length !== length) {
      throw new Error(`The right to write ${this.length} bytes of object ${this.objectId} is not for these.`);
    }
  }
}
