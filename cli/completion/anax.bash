# Completion of anax for bash. `anax __complete` knows the words.
_anax() {
  local line=${COMP_LINE:0:COMP_POINT} word found kept=
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:blank:]] ]] && words+=("")
  word=${words[${#words[@]} - 1]}
  COMPREPLY=()
  found=$("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  # bash replaces what stands behind the last of these characters only
  [[ $COMP_WORDBREAKS == *=* && $word == *=* ]] && kept=${word%"${word##*=}"}
  if [[ $found == @files* ]]; then
    word=${word#"$kept"}
    [[ $word == --*=* ]] && word=${word#*=}
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  elif [[ -n $found ]]; then
    mapfile -t COMPREPLY <<<"$found"
    COMPREPLY=("${COMPREPLY[@]#"$kept"}")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  fi
}
complete -F _anax anax
