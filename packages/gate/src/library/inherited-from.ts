type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that the SDKs' transports give a server by themselves: no others, so no others are a part of how it is
 * reached. On Windows also those by which a command is found.
 */
export function inheritedFrom(env: Environment, platform: NodeJS.Platform = process.platform): Environment {
  const names = platform === "win32" ? windows : posix;
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

const posix = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

const windows = [
  ...["APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES"],
  ...["SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE", "WINDIR"],
];
