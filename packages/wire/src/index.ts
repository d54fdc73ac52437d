export type { Bound, CallGate, CallRefusal } from "./call-gate.ts";
export type { Checkpoints, GuardOptions } from "./guard-options.ts";
export { guardRemote } from "./http/guard-remote.ts";
export { type Era, HostConnection, type ServerSide } from "./http/host-connection.ts";
export {
  defaultEndpointLimits,
  type EndpointLimits,
  HostEndpoint,
  type LetIn,
  type TurnedAway,
  type Unconnected,
} from "./http/host-endpoint.ts";
export { processSide } from "./http/process-side.ts";
export type { RemoteFailure } from "./http/remote-failure.ts";
export type { RemoteOptions } from "./http/remote-options.ts";
export { type RemoteSideOptions, remoteSide } from "./http/remote-side.ts";
export type { RequestEnd } from "./http/request-watch.ts";
export { carriesDefinitions, isHostMethod } from "./methods.ts";
export { onlyLists } from "./only-lists.ts";
export type { Ending } from "./stdio/child.ts";
export type { Command } from "./stdio/command.ts";
export { guardStdio } from "./stdio/guard-stdio.ts";
export { refuseHost } from "./stdio/refuse-host.ts";
export { variableOf, windowsPrograms } from "./stdio/windows-program.ts";
export type { ClientTransport, GuardedTransport } from "./transport/client-transport.ts";
export { guardClientTransport, type Opened } from "./transport/guard-client-transport.ts";
export type { Checkpoint, ListFailure, WireEvent } from "./wire-event.ts";
export { reviewId } from "./withheld.ts";
