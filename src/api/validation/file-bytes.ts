import { createHash } from 'node:crypto';

/** A file that is arriving. It is in memory once: its parts are not kept beside the whole. */
export class FileBytes {
  size = 0;
  // With each part: of a whole file it would take a long turn.
  private readonly hash = createHash('sha256');
  private bytes: Buffer;

  /** `announced`: how large it is at most, as far as its sender says. */
  constructor(announced = 0) {
    this.bytes = Buffer.allocUnsafeSlow(announced);
  }

  add(part: Buffer): void {
    this.hash.update(part);
    const end = this.size + part.length;
    if (end > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.size);
      this.bytes = larger;
    }
    part.copy(this.bytes, this.size);
    this.size = end;
  }

  taken(): { readonly content: Buffer; readonly sha256: string } {
    return { content: this.bytes.subarray(0, this.size), sha256: this.hash.digest('hex') };
  }
}
