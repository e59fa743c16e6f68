"""Writes the SBOM of the executables in CycloneDX 1.6.

Usage: sbom.py PROGRAM NOTICE FILE < GRAPH

GRAPH is the output of `swift package show-dependencies --format json`. The licences are read from the
table in NOTICE. A package without a licence there is an error.
"""

import datetime
import json
import os
import re
import subprocess
import sys
import uuid

# Packages that only the tests use.
UNSHIPPED = {"flyingfox"}


def main(program, notice, file):
    version = said(program, "--version").split()[1]
    compiler = re.search(r"Swift version (\S+)", said("swift", "--version")).group(1)
    table = {"swift": ("swift", compiler, "https://github.com/swiftlang/swift", [])}
    flatten(json.load(sys.stdin)["dependencies"], table)
    licenses = licenses_of(notice)
    missing = sorted(table.keys() - licenses.keys())
    if missing:
        raise SystemExit(f"{notice} has no licence for {', '.join(missing)}; add it to the table")

    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
    own = f"pkg:generic/paidline@{version}"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application", "bom-ref": own, "name": "paidline", "version": version,
                "purl": own, "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": [component(entry, licenses[name]) for name, entry in sorted(table.items())],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(purl(entry) for entry in table.values())}
        ] + [
            {"ref": purl(entry), "dependsOn": sorted(purl(table[name]) for name in entry[3])}
            for _, entry in sorted(table.items())],
    }
    # The same content has the same serial number.
    content = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}"
    with open(file, "w", encoding="utf-8") as output:
        json.dump(document, output, indent=2)
        output.write("\n")


def said(*command):
    """Runs a command; returns its standard output."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def flatten(packages, table):
    """Adds packages and all their dependencies to a table, keyed by name.

    A value has name, version, URL and the names of direct dependencies.
    """
    for package in packages:
        name = package["identity"]
        if name in UNSHIPPED or name in table:
            continue
        needs = [it["identity"] for it in package["dependencies"] if it["identity"] not in UNSHIPPED]
        table[name] = (name, package["version"], package["url"].removesuffix(".git"), needs)
        flatten(package["dependencies"], table)


def licenses_of(notice):
    """Reads the SPDX expressions of the packages from the table in NOTICE."""
    with open(notice, encoding="utf-8") as file:
        rows = (re.split(r"\s{2,}", line.strip()) for line in file)
        return {row[0]: row[1] for row in rows if len(row) == 3}


def purl(entry):
    """The package URL (purl) of a package version."""
    name, version, url, _ = entry
    return f"pkg:swift/{url.split('://')[1]}@{version}"


def component(entry, license):
    """The CycloneDX component of a package."""
    name, version, url, _ = entry
    return {
        "type": "library", "bom-ref": purl(entry), "name": name, "version": version,
        "purl": purl(entry), "licenses": [{"expression": license}],
        "externalReferences": [{"type": "vcs", "url": url}],
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
