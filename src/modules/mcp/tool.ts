import type { Risk } from '../../api/operation/operation.js';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: boolean | Schema;
  readonly [keyword: string]: unknown;
}

/** An object, as the inputs of tools are. */
export type ObjectSchema = Schema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
};

/** An operation as a language model sees it, with what is needed to call it. */
export interface Tool {
  readonly name: string;
  readonly risk: Risk;
  readonly summary: string;
  readonly description: string;
  readonly scope: string | undefined;
  readonly plan: string | undefined;
  /** The resource part of its scope: what it belongs to. */
  readonly capability: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: Schema & { readonly type: 'object' };
  readonly method: string;
  /** `/v1/claim-projects/{project_id}` */
  readonly path: string;
  /** Where each input goes; what is in none of these goes nowhere but to the tool itself. */
  readonly pathInputs: readonly string[];
  readonly queryInputs: readonly string[];
  /** By the name of the input, the property of the body. */
  readonly bodyInputs: Readonly<Record<string, string>>;
  /** The input that says it is meant, of a tool that changes something. */
  readonly confirmedBy: 'confirm' | 'confirm_delete' | undefined;
}
