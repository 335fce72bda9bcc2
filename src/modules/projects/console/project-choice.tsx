import { errorsIn, type Form, formOf, type FormState, type PageContext, pathOf } from '../../../api/console/page.js';
import { CheckGroup, type Choice, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { say, told } from '../../../api/console/say.js';
import { Problem } from '../../../kernel/problems.js';
import { MAX_CHOICES } from '../projects.service.js';

// All claim projects, or some of them: the fields of a form, what it says, and how pages show it.

const WAYS = ['all', 'some'] as const;
const [ALL, SOME] = WAYS;
const FIELD = 'projectIds';

const idsIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.toLowerCase().split(/[\s,]+/)).filter(Boolean)),
];

/** What is chosen in a form, by id: the list of choices has these, too. */
export const chosenProjects = ({ values }: FormState): string[] => idsIn([...values(FIELD), ...values('otherProjectIds')]);

interface ProjectChoiceProps {
  readonly state: FormState;
  /** `ProjectsService.choicesOfSeveral(ctx, chosenProjects(state))`. */
  readonly options: readonly Choice[];
}

/** Where there are more projects than are listed, further ones are named by their ids. Without any there is nothing to choose. */
export function ProjectChoice({ state, options }: ProjectChoiceProps) {
  const chosen = chosenProjects(state);
  if (options.length === 0 && chosen.length === 0) return <input type="hidden" name="projects" value={ALL} />;
  const others = chosen.filter((id) => !options.some(([known]) => known === id));
  const ways = WAYS.map((way): Choice => [way, say(`console.projectChoice.${way}`)]);
  const isLong = others.length > 0 || options.length >= MAX_CHOICES;
  const further = { label: say('console.projectChoice.others'), hint: say('console.projectChoice.othersHint') };
  return (
    <>
      <SelectField state={state} name="projects" label={told('Projects')} choices={ways} />
      <details id={FIELD} open={chosen.length > 0 || errorsIn(state, FIELD).length > 0}>
        <summary>{say('console.projectChoice.which')}</summary>
        <CheckGroup state={{ ...state, values: () => chosen }} name={FIELD} label={told('Projects')} choices={options} />
        {isLong ? <TextField state={formOf({ otherProjectIds: others.join(' ') })} name="otherProjectIds" {...further} /> : null}
      </details>
    </>
  );
}

/** The fields of a form for what is stored; null: all. */
export const projectValues = (ids: readonly string[] | null) => ({ projects: ids === null ? ALL : SOME, [FIELD]: ids });

/** What the form says; null: all. None is a slip and never means all. The service checks whether they exist. */
export function projectIdsFrom(form: Form): string[] | null {
  const [way, ids] = [form.text('projects'), idsIn([...form.list(FIELD), form.text('otherProjectIds')])];
  if (way === SOME && ids.length > 0) return ids;
  if (way === ALL && ids.length === 0) return null;
  const slip = way === SOME ? 'must be chosen, at least one' : 'must be left empty if all are chosen';
  throw Problem.invalidField(FIELD, way === SOME ? 'required' : 'not_allowed', slip);
}

/** How a page shows them. One that was removed is named by its id. */
export const projectsShown = (ctx: PageContext, ids: readonly string[] | null, names: ReadonlyMap<string, string> = new Map()) =>
  ids === null
    ? say('console.projectChoice.all')
    : ids.map((id) => (
        <a class="block" href={pathOf(ctx, 'projects', id)}>
          {names.get(id) ?? id}
        </a>
      ));
