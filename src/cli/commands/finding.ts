export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** The result, or what to do. */
  readonly detail: string;
  /** Not a failure, but the operator should know. */
  readonly warning?: true;
}

/** What a look found, or why it failed. */
export async function finding(check: string, look: () => Promise<string> | string): Promise<Finding> {
  try {
    return { check, ok: true, detail: await look() };
  } catch (error) {
    return failed(check, error);
  }
}

export const failed = (check: string, error: unknown): Finding => ({
  check,
  ok: false,
  detail: error instanceof Error ? error.message : String(error),
});
