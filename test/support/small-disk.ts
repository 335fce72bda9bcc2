import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE = 512 * 1024 * 1024;
/** What is left when it is full: less than Postgres adds to a table at once. */
const LEFT = 4096;
const TRIES = 100;

/** Whether a file system can be mounted: for that one must be root, and some containers do not allow it. */
export const canMount = (): boolean => process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** A file system of a test's own, which can be full. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'claims-disk-'));

  constructor() {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', this.folder]);
    process.once('exit', this.remove);
  }

  /** As if something else had filled it. */
  fill(): void {
    for (let left = TRIES; ; left -= 1) {
      const { blocks, bfree, bsize } = statfsSync(this.folder);
      try {
        return this.resize((blocks - bfree) * bsize + LEFT);
      } catch (error) {
        // Postgres has written since it was asked, and a disk cannot become smaller than what is on it.
        if (left === 0) throw error;
      }
    }
  }

  makeRoom(): void {
    this.resize(SIZE);
  }

  readonly remove = (): void => {
    process.off('exit', this.remove);
    execFileSync('umount', ['--lazy', this.folder]);
    rmSync(this.folder, { recursive: true });
  };

  private resize(bytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${bytes}`, this.folder]);
  }
}
