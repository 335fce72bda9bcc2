import { Injectable } from '@nestjs/common';
import { Channel, ProtectedResource } from '../../../api/access/ports.js';
import { API_NAME } from '../../../kernel/product.js';
import { Implements } from '../../../store/discovery/ports.js';
import { CHANNEL, MCP_PATH } from '../tools/tool.js';

/** The tool server takes access tokens that were issued for it. */
@Injectable()
@Implements(ProtectedResource)
export class McpResource extends ProtectedResource {
  readonly path = MCP_PATH;
  readonly name = API_NAME;
}

/** The audit log tells tool calls apart from other calls. */
@Injectable()
@Implements(Channel)
export class McpChannel extends Channel {
  readonly name = CHANNEL;
}
