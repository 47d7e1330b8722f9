# For tests, to be sourced after command.sh: a Slurm of one node in the folder of the test.
#
#     slurm_start     starts it; fails, and says so, where Slurm or munge cannot run
#     slurm_stop      ends it
# shellcheck shell=sh
slurm_processes=

slurm_stop() {
    for process in $slurm_processes; do
        kill "$process" 2>/dev/null
        wait "$process" 2>/dev/null
    done
    slurm_processes=
}

# Prints a number that no port of this computer has just now.
free_port() {
    port=$((20000 + ($$ + $1 * 977) % 20000))
    while grep -qi ":$(printf %04X $port) " /proc/net/tcp; do port=$((port + 1)); done
    echo $port
}

slurm_start() {
    for program in slurmctld slurmd munged mungekey sbatch; do
        command -v $program >/dev/null && continue
        echo "Slurm is not installed ($program): not tested"
        return 1
    done
    if [ "$(id -u)" -ne 0 ]; then
        echo "Slurm needs to be started by root: not tested"
        return 1
    fi
    slurm=$work/slurm
    mkdir -p "$slurm/state" "$slurm/spool"
    mkdir -m 755 "$slurm/munge"
    chmod 755 "$work" "$slurm"
    mungekey -c -k "$slurm/munge/key" || return 1
    munged --foreground --force --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" \
        --pid-file="$slurm/munge/pid" --log-file="$slurm/munge/log" \
        --seed-file="$slurm/munge/seed" >"$slurm/munged.out" 2>&1 &
    slurm_processes=$!
    cat >"$slurm/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$(uname -n)(127.0.0.1)
SlurmUser=root
SlurmctldPort=$(free_port 1)
SlurmdPort=$(free_port 2)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
MpiDefault=none
ReturnToService=2
NodeName=$(uname -n) NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
END
    SLURM_CONF=$slurm/slurm.conf
    export SLURM_CONF
    trap 'slurm_stop; rm -rf "$work"' EXIT
    for _ in $(seq 100); do
        [ -S "$slurm/munge/socket" ] && break
        sleep 0.1
    done
    slurmctld -D -f "$SLURM_CONF" >"$slurm/slurmctld.out" 2>&1 &
    slurm_processes="$! $slurm_processes"
    slurmd -D -f "$SLURM_CONF" -N "$(uname -n)" >"$slurm/slurmd.out" 2>&1 &
    slurm_processes="$! $slurm_processes"
    for _ in $(seq 300); do
        sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
        sleep 0.1
    done
    echo "Slurm does not start here: not tested"
    tail -5 "$slurm"/*.out
    slurm_stop
    return 1
}
