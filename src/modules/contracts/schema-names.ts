/** The class `ClaimProjectDto` is the schema `ClaimProject`. */
export const schemaNameOf = ({ name }: { readonly name: string }): string => name.replace(/Dto$/, '');

/** The event `claim_project.created` is the schema `ClaimProjectCreatedEvent`. */
export const eventSchemaNameOf = ({ kind }: { readonly kind: string }): string =>
  `${kind.replace(/(?:^|[._])([a-z])/g, (_found, letter: string) => letter.toUpperCase())}Event`;
