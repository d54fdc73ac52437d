/** Variables that decide what code a program runs, whom it believes, or through whom it speaks. */
const steering: ReadonlySet<string> = new Set([
  ...["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "GCONV_PATH"],
  ...["DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "DYLD_FALLBACK_LIBRARY_PATH"],
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NODE_TLS_REJECT_UNAUTHORIZED", "BUN_OPTIONS"],
  ...["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "PYTHONPLATLIBDIR", "VIRTUAL_ENV"],
  ...["PERL5LIB", "PERL5OPT", "RUBYLIB", "RUBYOPT", "BUNDLE_GEMFILE", "PHPRC", "PHP_INI_SCAN_DIR", "LUA_INIT"],
  ...["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "DOTNET_STARTUP_HOOKS"],
  ...["BASH_ENV", "ENV", "GIT_SSH_COMMAND", "GIT_EXEC_PATH", "OPENSSL_CONF", "OPENSSL_MODULES"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"],
  ...["npm_config_registry", "NPM_CONFIG_REGISTRY", "npm_config_node_options", "NPM_CONFIG_NODE_OPTIONS"],
  ...["npm_config_script_shell", "NPM_CONFIG_SCRIPT_SHELL", "YARN_NPM_REGISTRY_SERVER", "YARN_REGISTRY"],
  ...["UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS", "UV_CONFIG_FILE", "UV_PYTHON", "PIP_FIND_LINKS"],
  ...["PIP_CONFIG_FILE", "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST"],
]);

/** Endings of the names of variables that say where a server's own requests go. */
const endpoints = /(?:^|_)(?:BASE_URL|ENDPOINT|ENDPOINT_URL|URL|URI|API_BASE|API_HOST)$/i;

/** Whether the value of a variable is a part of the launch. */
export function steers(name: string): boolean {
  return steering.has(name) || endpoints.test(name);
}

const listsOfPlaces =
  /^(?:LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|GCONV_PATH|DYLD_.*|NODE_PATH|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|PERL5LIB|RUBYLIB|CLASSPATH|BASH_ENV|ENV|OPENSSL_CONF|OPENSSL_MODULES|DOTNET_STARTUP_HOOKS|BUNDLE_GEMFILE|VIRTUAL_ENV)$/;

/**
 * Whether a variable names code in the folder that a program starts in: `PYTHONPATH=lib:`, `NODE_OPTIONS=--require ./a.js`.
 *
 * @param value with its places named, so that `${CWD}` is the folder
 */
export function namesFolder(name: string, value: string): boolean {
  if (listsOfPlaces.test(name)) return value.split(/[:;]/).some((place) => !elsewhere.test(place));
  if (!/OPT(?:ION)?S?$|^(?:GIT_SSH_COMMAND|LUA_INIT)$/i.test(name)) return false;
  return value.split(/[\s=:,]+/).some((word) => !elsewhere.test(word) && /^[.$]|^[^-].*[/\\]|\.[cm]?[jt]s$/.test(word));
}

/** An absolute path, be it below the home folder; or the letter of a drive. */
const elsewhere = /^(?:[/\\]|\$\{HOME\}|[A-Za-z]$)/;
