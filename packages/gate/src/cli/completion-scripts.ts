/**
 * What makes a shell ask `countersign complete-words` for what may follow. That prints a word a line, or `:files`; a server's
 * name holds nothing that a shell takes for syntax, and no other word comes from a server.
 */
export const completionScripts = {
  bash: `_countersign() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" found
  found=$(countersign complete-words "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
  if [[ $found == :files ]]; then
    compopt -o default 2>/dev/null
    COMPREPLY=()
  else
    mapfile -t COMPREPLY < <(compgen -W "$found" -- "$cur")
  fi
}
complete -F _countersign countersign
`,
  zsh: `#compdef countersign
_countersign() {
  local -a found
  found=("\${(@f)$(countersign complete-words "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $found[1] == :files ]]; then
    _files
  else
    compadd -a found
  fi
}
if [[ $funcstack[1] == _countersign ]]; then
  _countersign "$@"
else
  compdef _countersign countersign
fi
`,
  fish: `function __countersign_complete
    set -l words (commandline --tokens-expanded --cut-at-cursor 2>/dev/null; or commandline -opc)
    set -l partial (commandline -ct)
    set -l found (countersign complete-words $words[2..] "$partial" 2>/dev/null)
    if test "$found[1]" = ":files"
        __fish_complete_path "$partial"
    else
        printf '%s\\n' $found
    end
end
complete -c countersign -f -a '(__countersign_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName countersign -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  countersign complete-words @words "$wordToComplete" 2>$null | Where-Object { $_ -ne ':files' } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
} as const;

export type Shell = keyof typeof completionScripts;

export const shells = Object.keys(completionScripts) as readonly Shell[];
