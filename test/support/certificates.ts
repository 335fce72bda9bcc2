import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** An authority of a test's own, for certificates of 127.0.0.1 that end when the test wants. */
export class Certificates {
  readonly folder = mkdtempSync(join(tmpdir(), 'claims-certificates-'));
  /** The file of the authority. */
  readonly authority = this.path('ca.crt');

  constructor() {
    const files = ['-keyout', this.path('ca.key'), '-out', this.authority];
    this.request('-subj', '/CN=The authority of a test', '-days', '365', ...files);
  }

  /** A certificate and its key, as texts. */
  issue(days: number): { readonly cert: string; readonly key: string } {
    const signed = ['-CA', this.authority, '-CAkey', this.path('ca.key'), '-addext', 'subjectAltName=IP:127.0.0.1'];
    this.request('-subj', '/CN=127.0.0.1', '-days', String(days), ...signed, '-keyout', this.path('key'), '-out', this.path('crt'));
    return { cert: readFileSync(this.path('crt'), 'utf8'), key: readFileSync(this.path('key'), 'utf8') };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private path(name: string): string {
    return join(this.folder, name);
  }

  private request(...args: string[]): void {
    execFileSync('openssl', ['req', '-x509', ...NEW_KEY, ...args], { stdio: 'ignore' });
  }
}
