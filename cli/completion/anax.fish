# Completion of anax for fish. `anax __complete` knows the words.
function __anax_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l found ($before[1] __complete $before[2..] "$word" 2>/dev/null)
    if test "$found[1]" = @files
        set -l option (string match -r -- '^--[^=]*=' "$word")
        set -l path (string replace -r -- '^--[^=]*=' '' "$word")
        for name in (__fish_complete_path "$path")
            echo "$option$name"
        end
    else
        printf '%s\n' $found
    end
end
complete -c anax -f -a '(__anax_complete)'
