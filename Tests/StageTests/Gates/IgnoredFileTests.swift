internal import TestSupport
internal import Testing

/// Files of another kind in the folder of the exports.
struct IgnoredFileTests {
  @Test func `a README, a manifest and a job's marker file are ignored with a warning`()
    throws
  {
    let shop = try Shop(receipts: "in/*")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-01-05"))
    try shop.folder.write("in/README.md", "# Exports\n\nOne file a day.\n")
    try shop.folder.write("in/manifest.json", "{\"files\":[{\"name\":\"a.ndjson\"}]}\n")
    try shop.folder.write("in/_SUCCESS", "")
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "3 files are ignored, because they are not exports: in/README.md (a README), in/_SUCCESS "
          + "(the marker file of a finished job), in/manifest.json (a manifest)"),
      "\(ending.errors)")
    #expect(
      try shop.rows("SELECT status, count(1) FROM audit_file GROUP BY 1 ORDER BY 1")
        == ["ignored|2", "used|1"])
    #expect(try shop.rows("SELECT records FROM audit_file WHERE status = 'ignored'") == ["0", "0"])
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
    #expect(try shop.run("paidline", "status", "pipeline.yaml").output.contains("2 ignored"))
    // It is reported once, and then weekly.
    #expect(try shop.run("paidline", "run", "pipeline.yaml").errors == "")
  }

  @Test func `a report of Apple's among the receipts is ignored and told where it belongs`() throws
  {
    let shop = try Shop(receipts: "in/*")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-01-05"))
    try shop.folder.write("in/S_D_1.txt", "Provider\tProvider Country\tSKU\nAPPLE\tUS\tpro\n")
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("which belongs under inputs.apple_reports"), "\(ending.errors)")
  }

  @Test(arguments: ["export.json", "events.csv", "readmes-of-july.ndjson"])
  func `a file that is not recognized still stops the run`(name: String) throws {
    let shop = try Shop(receipts: "in/*")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-01-05"))
    try shop.folder.write("in/\(name)", "{\"renamed\":true}\n")
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 65)
    #expect(ending.errors.contains(name))
  }

  @Test func `a manifest that holds a receipt is an export`() throws {
    let shop = try Shop(receipts: "in/*")
    try shop.folder.write("in/manifest.json", Export.purchase(1001, day: "2024-01-05"))
    #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    #expect(try shop.rows("SELECT status FROM audit_file") == ["used"])
  }
}
