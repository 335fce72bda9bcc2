import { customFields, Text } from '../../extension-api.js';

class ProjectFields {
  @Text({ about: 'Cost centre that is charged.', min: 1, max: 20, example: 'CC-100' }) costCentre: string;
}

customFields('claim_projects', ProjectFields, { filters: ['costCentre'], search: ['costCentre'] });
