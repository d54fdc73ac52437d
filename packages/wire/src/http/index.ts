export { guardRemote } from "./guard-remote.ts";
export { type Era, HostConnection, type ServerSide } from "./host-connection.ts";
export {
  defaultEndpointLimits,
  type EndpointLimits,
  HostEndpoint,
  type LetIn,
  type TurnedAway,
  type Unconnected,
} from "./host-endpoint.ts";
export { processSide } from "./process-side.ts";
export type { RemoteFailure } from "./remote-failure.ts";
export type { RemoteOptions } from "./remote-options.ts";
export { type RemoteSideOptions, remoteSide } from "./remote-side.ts";
export type { RequestEnd } from "./request-watch.ts";
