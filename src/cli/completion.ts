import type { Command } from "commander";

/** A completion script for bash and zsh, generated from the program's commands and their options. */
export function writeCompletion(program: Command): string {
  const cases = listWords(program, "").map(([path, words]) => `    "${path}"*) next="${words.join(" ")}" ;;`);
  return `# bash: source <(castellan completion) in ~/.bashrc; zsh: the same in ~/.zshrc.
if [ -n "\${ZSH_VERSION-}" ]; then autoload -U +X compinit bashcompinit && compinit && bashcompinit; fi
_castellan() {
  local before="" word next
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$word" in -*) ;; *) before="$before $word" ;; esac
  done
  case "$before" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
# If no word matches, complete file names.
complete -o default -F _castellan castellan
`;
}

/** The words that can follow a command. The longest commands come first, because arguments can follow them too. */
function listWords(command: Command, path: string): [string, string[]][] {
  const below = command.commands.flatMap((one) => listWords(one, `${path} ${one.name()}`));
  const help = command.createHelp();
  const options = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  return [...below, [path, [...command.commands.map((one) => one.name()), ...options]]];
}
