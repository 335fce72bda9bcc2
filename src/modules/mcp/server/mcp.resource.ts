import { Injectable } from '@nestjs/common';
import { ProtectedResource } from '../../../api/access/protected-resource.js';
import { API_NAME } from '../../../kernel/product.js';
import { Implements } from '../../../store/discovery/ports.js';

export const MCP_PATH = '/mcp';

/** The tool server takes access tokens that were issued for it. */
@Injectable()
@Implements(ProtectedResource)
export class McpResource extends ProtectedResource {
  readonly path = MCP_PATH;
  readonly name = API_NAME;
}
