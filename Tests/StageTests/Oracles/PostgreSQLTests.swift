internal import Foundation
internal import TestSupport
internal import Testing

/// The output of `paidline export --format pgcopy`, loaded by a new PostgreSQL server.
struct PostgreSQLTests {
  private static let programs = "/usr/lib/postgresql/15/bin"
  private static let isWanted =
    ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1"
    && FileManager.default.isExecutableFile(atPath: "\(programs)/initdb")
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/psql")

  /// Runs a shell script in a folder; not as root, because PostgreSQL refuses that.
  private func shell(_ script: String, in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// Runs a shell script in a folder while a new server runs, whose files are below `$D`.
  private func shellWithServer(_ script: String, in folder: String) throws -> String {
    let asServer = geteuid() == 0 ? "runuser -u postgres --" : ""
    return try shell(
      """
      set -e
      D=$(mktemp -d); chmod 755 "$D"; \(geteuid() == 0 ? "chown postgres \"$D\";" : "")
      # The user postgres may not enter the private folder of an export.
      as_server() { (cd "$D"; \(asServer) "$@"); }
      trap 'as_server \(Self.programs)/pg_ctl -D "$D/data" stop -m immediate >/dev/null;
        rm -rf "$D"' EXIT
      as_server \(Self.programs)/initdb -D "$D/data" -A trust -U postgres --no-sync >/dev/null
      as_server \(Self.programs)/pg_ctl -D "$D/data" -w -l "$D/data/log" \
        -o "-k $D -c listen_addresses='' -c fsync=off" start >/dev/null
      export PGHOST="$D" PGUSER=postgres PGTZ=UTC
      \(script)
      """, in: folder)
  }

  @Test(.enabled(if: isWanted, "PAIDLINE_LONG=1 and PostgreSQL 15 in \(programs)"))
  func `the tutorial's queries write the exports that lie beside its tables`() throws {
    let root = Checkout.folder.path
    let page = try String(contentsOfFile: "\(root)/Docs/tutorial.md", encoding: .utf8)
    let blocks = page.components(separatedBy: "```\n")
    let queries = try #require(blocks.first { $0.hasPrefix("mkdir -p shop/exports") })
    let folder = try TemporaryFolder()
    let found = try shellWithServer(
      """
      createdb shop
      psql --quiet --no-psqlrc --file '\(root)/Docs/tutorial/shop.sql' shop
      \(queries)
      diff -r shop/exports '\(root)/Docs/tutorial/exports' && echo the same
      """, in: folder.path)
    #expect(found == "the same\n")
  }

  @Test(.enabled(if: isWanted, "PAIDLINE_LONG=1 and PostgreSQL 15 in \(programs)"))
  func `load.sql loads, twice, and the rows are those of the warehouse`() throws {
    let shop = try Shop()
    let products = ["\\N", "\\.", "a\\tb", "it's", "$$;--", "=1", "snow☃man"]
    let lines = try products.enumerated().map { index, product in
      let text = try #require(String(data: JSONEncoder().encode(product), encoding: .utf8))
      return Export.purchase(1001 + index, day: "2021-03-05", customer: "c-\(index)")
        .replacing("\"product_id\":\"pro\"", with: "\"product_id\":\(text)")
    }
    try shop.folder.write("in/a.ndjson", lines.joined())
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let export = shop.folder.path("export")
    #expect(
      try shop.run(
        "paidline", "export", shop.pipeline, "--format", "pgcopy", "--output", "export"
      ).status == 0)

    let found = try shellWithServer(
      """
      cp *.copy load.sql "$D/"; chmod 644 "$D"/*.copy "$D/load.sql"; cd "$D"
      for i in 1 2; do psql -X -q -f load.sql; done
      psql -X -A -t -c \
        "SELECT count(*), SUM(paid)::numeric(9, 2), (SELECT SUM(subscriptions)
         FROM retention_cohort WHERE period_number = 1) FROM revenue"
      psql -X -A -t -c \
        "SELECT transaction_id, product_id, paid_milli, purchased_date FROM fct_revenue
         ORDER BY transaction_id"
      """, in: export)
    let expected =
      ["7|69.93|7\n"] + products.enumerated().map { "\(1001 + $0)|\($1)|9990|2021-03-05\n" }
    #expect(found == expected.joined())
  }
}
