/** A port: a first-party client of the API, such as the tool server. The audit log tells its calls apart. */
export abstract class Channel {
  abstract readonly name: string;
}
