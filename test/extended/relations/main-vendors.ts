import { customFields, RecordOf, Text } from '../../../src/extension-api.js';

class TripFields {
  @RecordOf('vendors', { about: 'Who sells most of its trips.', people: { label: 'Main vendor' } }) mainVendorId: string;
  @Text({ about: 'What to know.', max: 200, example: 'Early trains' }) travelNote: string;
}

export const tripFields = customFields('claim_projects', TripFields);
