import { Injectable } from '@nestjs/common';
import { RecordSearch, SearchSource } from '../../../api/console/search-source.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { Configuration } from '../configuration.entity.js';
import { ConfigurationsService } from '../configurations.service.js';

@Implements(SearchSource)
@Injectable()
export class ConfigurationSearch extends RecordSearch<Configuration>({
  label: 'Configurations',
  order: 40,
  path: 'configurations',
  operations: 'report_configurations',
  titleOf: ({ name }) => name,
}) {
  constructor(configurations: ConfigurationsService) {
    super(configurations);
  }
}
