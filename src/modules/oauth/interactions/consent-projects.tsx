import { Injectable } from '@nestjs/common';
import { formOf, type FormState } from '../../../api/console/page.js';
import { CheckGroup } from '../../../api/console/parts/fields.js';
import { say, told } from '../../../api/console/say.js';
import { Sentence } from '../../../api/console/parts/facts.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { type Environment, ENVIRONMENTS } from '../../../kernel/context.js';
import { chosenProjects, ProjectChoice, ProjectsService, projectValues } from '../../projects/index.js';
import { environmentIn } from './consent.page.js';
import type { Question } from './interactions.service.js';

interface Choosing {
  readonly question: Question;
  readonly applicationName: string;
  readonly organizationId: string;
  /** What the person chose, if that was refused. */
  readonly refused: FormState | undefined;
  readonly wording: Wording;
}

/** The claim projects that an application asks for, or of which the person chooses some or all, as it asks for none. */
@Injectable()
export class ConsentProjects {
  constructor(private readonly projects: ProjectsService) {}

  /** The field, and the environments that have what is asked for: without one, there is nothing to consent to. */
  async field({ question, applicationName, organizationId, refused, wording }: Choosing) {
    const { application, askedProjects: asked, projects } = question;
    const environments: readonly Environment[] = application ? [application.environment] : ENVIRONMENTS;
    const tenants = environments.map((environment) => ({ organizationId, environment }));
    if (asked) {
      const found = await Promise.all(tenants.map((tenant) => this.projects.names(tenant, asked)));
      const hasAll = ({ size }: ReadonlyMap<string, string>): boolean => size > 0 && size === asked.length;
      const names = found.find(hasAll) ?? new Map<string, string>();
      const field = <AskedProjects names={names} applicationName={applicationName} refused={refused} />;
      return { field, environments: environments.filter((_, index) => hasAll(found[index]!)) };
    }
    const state = refused ?? formOf(projectValues(projects));
    const chosen = chosenProjects(state);
    const found = await Promise.all(tenants.map((tenant) => this.projects.choicesOfSeveral(tenant, chosen)));
    const options = found.flatMap((choices, index) =>
      choices.map(([id, label]) => [id, application ? label : `${label} · ${environmentIn(environments[index]!, wording)}`] as const),
    );
    return { field: <ProjectChoice state={state} options={options} />, environments };
  }
}

type AskedProjectsProps = Pick<Choosing, 'applicationName' | 'refused'> & { readonly names: ReadonlyMap<string, string> };

/** All are chosen, until the person leaves some out. The fields are those of `ProjectChoice`. */
const AskedProjects = ({ names, applicationName, refused }: AskedProjectsProps) => (
  <>
    <Sentence text={say('consent.askedProjects', { application: FIRST })} names={[applicationName]} />
    <input type="hidden" name="projects" value="some" />
    <CheckGroup
      state={refused ?? formOf({ projectIds: [...names.keys()] })}
      name="projectIds"
      label={told('Projects')}
      choices={[...names]}
    />
  </>
);
