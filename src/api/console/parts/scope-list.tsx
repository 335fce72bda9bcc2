import type { ScopeGroup } from '../../access/scopes.js';

export const ScopeList = ({ groups }: { groups: readonly ScopeGroup[] }) => (
  <>
    {groups.map(({ title, scopes }) => (
      <section>
        <h3>{title}</h3>
        <ul>
          {scopes.map(({ sentence, scope }) => (
            <li>
              {sentence} <code>{scope}</code>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);
