import type { MockCall } from './reading.js';
import { Refusal } from './refusal.js';

interface Remembered {
  readonly fingerprint: string;
  readonly response: Response;
}

/** What was answered to each Idempotency-Key. Only a success is remembered. */
export class Keys {
  private readonly remembered = new Map<string, Remembered>();

  clear(): void {
    this.remembered.clear();
  }

  has(key: string | null): boolean {
    return key !== null && this.remembered.has(key);
  }

  once({ operation, params, body }: MockCall, key: string | null, answer: () => Response): Response {
    if (!operation.key || key === null) return answer();
    const fingerprint = sorted([operation.id, params, body]);
    const earlier = this.remembered.get(key);
    if (!earlier) {
      const response = answer();
      this.remembered.set(key, { fingerprint, response: response.clone() });
      return response;
    }
    if (earlier.fingerprint !== fingerprint)
      throw new Refusal('idempotency_conflict', { detail: 'This Idempotency-Key belongs to another request.' });
    const again = earlier.response.clone();
    again.headers.set('Idempotent-Replayed', 'true');
    return again;
  }
}

/** JSON in which the order of keys makes no difference. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
