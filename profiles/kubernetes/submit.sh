#!/bin/sh
# submit.sh CORES MEGABYTES MINUTES JOBSCRIPT: make it a Job on the project's volume; say its name.
#   VERIDICAL_IMAGE   an image with the environment (envs/Containerfile)
#   VERIDICAL_CLAIM   the persistent volume claim that holds the project
#   VERIDICAL_MOUNT   where it is mounted, the same path as here
#   VERIDICAL_SECRET  a Kubernetes secret whose entries are the keys of the servers (may be absent)
set -eu
cores=$1 megabytes=$2 minutes=$3 script=$4
: "${VERIDICAL_IMAGE:?name the image (workflow/notes/clusters.md)}"
: "${VERIDICAL_CLAIM:?name the claim of the volume that holds the project}"
: "${VERIDICAL_MOUNT:?name the path where that volume is mounted}"
case "$PWD/" in "$VERIDICAL_MOUNT"/*) ;; *)
  echo "submit.sh: the project ($PWD) does not lie below VERIDICAL_MOUNT ($VERIDICAL_MOUNT)" >&2; exit 1 ;;
esac
# the engine deletes its script with the process that leads: the Job gets a copy of its own
mkdir -p .snakemake/kubernetes
own=$(mktemp "$PWD/.snakemake/kubernetes/job-XXXXXX")
cp "$script" "$own"
kubectl create -o name -f - <<MANIFEST | sed 's|^job.batch/||'
apiVersion: batch/v1
kind: Job
metadata:
  generateName: veridical-
spec:
  backoffLimit: 2
  activeDeadlineSeconds: $((minutes * 60))
  ttlSecondsAfterFinished: 86400
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: job
          image: "$VERIDICAL_IMAGE"
          command: ["sh", "$own"]
          workingDir: "$PWD"
          resources:
            requests: { cpu: "$cores", memory: "${megabytes}Mi" }
            limits: { memory: "${megabytes}Mi" }
          envFrom:
            - secretRef: { name: "${VERIDICAL_SECRET:-veridical}", optional: true }
          volumeMounts:
            - { name: project, mountPath: "$VERIDICAL_MOUNT" }
      volumes:
        - name: project
          persistentVolumeClaim: { claimName: "$VERIDICAL_CLAIM" }
MANIFEST
