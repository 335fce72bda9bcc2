import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server';
import { visible, visibleText } from '../../../../tools/text-for-models/index.js';

export { visible };

export class ToolAnswer {
  constructor(
    readonly text: string,
    readonly json: string,
    readonly isError = false,
    readonly links: readonly ResourceLink[] = [],
  ) {}

  content(): CallToolResult['content'] {
    return [{ type: 'text', text: this.text }, ...this.links];
  }

  visible(): ToolAnswer {
    if (visibleText(this.text) === this.text && visibleText(this.json) === this.json) return this;
    return new ToolAnswer(visibleText(this.text), JSON.stringify(visible(JSON.parse(this.json))), this.isError, this.links);
  }

  /** With what the model should read first. */
  with(note: string): ToolAnswer {
    return new ToolAnswer(`${note}\n${this.text}`, this.json, this.isError, this.links);
  }

  asResult(): CallToolResult {
    const structuredContent = JSON.parse(this.json) as Record<string, unknown>;
    return { content: this.content(), structuredContent, ...(this.isError && { isError: true }) };
  }
}
