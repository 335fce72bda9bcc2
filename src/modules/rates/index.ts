export { RatesModule } from './rates.module.js';
export { RatesService, type ImportedRates } from './rates.service.js';
