#!/usr/bin/env bash
# Tests the files of deploy/monitoring with Prometheus's own tools: its configuration, its alerts with their tests, and
# the names and texts of all metrics. Then a Prometheus scrapes the built program (npm run build) while its database
# fails for a time. Debian; installs Prometheus if it is missing (as root).
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v promtool >/dev/null || ! command -v prometheus >/dev/null; then .ci/debian prometheus; fi

promtool check config deploy/monitoring/prometheus.yml
promtool check rules deploy/monitoring/alerts.yml
promtool test rules deploy/monitoring/alerts.test.yml
node --import tsx test/metrics/print-metrics.ts | promtool check metrics
.ci/services.sh node --import tsx test/metrics/alert-on-fault.ts
