import { computedFields, Integer } from '../../../src/extension-api.js';

const DAY_MS = 86_400_000;

class ProjectWeeks {
  @Integer({ about: 'Weeks of the period, the last one included.', min: 1, example: 13 }) weeks: number;
}

computedFields('claim_projects', ProjectWeeks, {
  weeks: ({ periodStart, periodEnd }) => {
    const days = (Date.parse(periodEnd) - Date.parse(periodStart)) / DAY_MS + 1;
    return Math.ceil(days / 7);
  },
});
