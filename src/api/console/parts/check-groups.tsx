import type { FormState } from '../page.js';
import { CheckField, CheckGroup, type Choice, Errors } from './fields.js';

interface CheckGroupsProps {
  readonly state: FormState;
  readonly name: string;
  /** A box that stands for all of them. */
  readonly all: { readonly name: string; readonly label: string; readonly hint: string };
  readonly groups: readonly { readonly title: string; readonly choices: readonly Choice[] }[];
}

/** Several of many that belong to groups. What is wrong with them is said once, above. */
export const CheckGroups = ({ state, name, all, groups }: CheckGroupsProps) => (
  <>
    <Errors state={state} name={name} label={all.label} />
    <CheckField state={state} {...all} />
    {groups.map(({ title, choices }) => (
      <CheckGroup state={{ values: state.values }} name={name} label={title} choices={choices} />
    ))}
  </>
);
