import type { UserRole } from '../../../kernel/roles.js';
import type { Risk } from '../../../api/operation/operation.js';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: boolean | Schema;
  readonly [keyword: string]: unknown;
}

export type ObjectSchema = Schema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
};

/** An operation as a language model sees it, and how to call it. */
export interface Tool {
  readonly name: string;
  readonly risk: Risk;
  readonly summary: string;
  readonly description: string;
  readonly scope: string | undefined;
  readonly role: UserRole | undefined;
  readonly plan: string | undefined;
  /** The resource part of its scope: `claim_projects`. */
  readonly capability: string;
  /** What inputs are checked against. */
  readonly inputSchema: ObjectSchema;
  /** What clients are shown of it. */
  readonly listedInputs: ObjectSchema;
  readonly outputSchema: Schema & { readonly type: 'object' };
  /** Its id: `claim_projects.get`. */
  readonly operation: string;
  readonly method: string;
  /** `/v1/claim-projects/{project_id}` */
  readonly path: string;
  /** Where each input goes. Inputs in none of these are for the tool itself and are not sent. */
  readonly pathInputs: readonly string[];
  readonly queryInputs: readonly string[];
  readonly bodyInputs: Readonly<Record<string, string>>;
  /** Fields of the records of a list that only `detail: "full"` returns, such as `hash` and `actor.id`. */
  readonly leftOut: readonly string[];
  /** The input that confirms a call. Only tools that change something have one. */
  readonly confirmedBy: 'confirm' | 'confirm_delete' | undefined;
}
