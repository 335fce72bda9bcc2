/** A statement that the server prepares once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}
