internal import Answers
internal import ArgumentParser
internal import Diagnostics
internal import Pipeline
internal import Warehouse

/// `paidline export`: writes published tables for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write published tables and views as CSV or for PostgreSQL.",
    discussion: """
      Writes all tables and views, or only those that --table names. Each goes to a file with its \
      name in the folder --output; without --output, a single table goes to standard output. All \
      are read in one transaction, and the files are moved into place when all are complete.

      csv is RFC 4180 with a header: NULL is an empty field, an empty text is "". pgcopy is the \
      text format of PostgreSQL's COPY; the script load.sql beside it creates the tables (views \
      become tables too) and replaces their rows in one transaction. A CSV that people open in a \
      spreadsheet should be written with --spreadsheet-safe: product ids and other texts come from \
      outside, and one that begins with =, +, - or @ would be run as a formula.

      DuckDB writes Parquet from warehouse.db: Docs/analysts/parquet.md.

      EXAMPLES
        paidline export Pipelines/sample.yaml --format csv --table revenue_daily
        paidline export Pipelines/sample.yaml --format csv --output export \\
          --spreadsheet-safe
        paidline export Pipelines/sample.yaml --format pgcopy --output export
        (cd export && psql --no-psqlrc --file=load.sql analytics)
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: "csv or pgcopy.", completion: .list(ExportFormat.allCases.map(\.rawValue)),
    transform: Self.parsed)
  var format: ExportFormat

  @Option(help: ArgumentHelp("A table or view; may be given more than once.", valueName: "name"))
  var table: [String] = []

  @Option(
    help: ArgumentHelp("The folder for the files; created if missing.", valueName: "dir"),
    completion: .directory)
  var output: String?

  @Flag(help: "Put ' before texts in a CSV that a spreadsheet would run as a formula.")
  var spreadsheetSafe = false

  func validate() throws {
    guard output != nil || table.count == 1 else {
      throw ValidationError(
        "Standard output holds only one table: name it with --table, or a folder with --output.")
    }
    guard output?.isEmpty != true else { throw ValidationError("--output expects a folder.") }
    guard !spreadsheetSafe || format == .csv else {
      throw ValidationError("--spreadsheet-safe is only for --format csv.")
    }
  }

  func run() throws {
    let export = WarehouseExport(
      definition: try pipeline.read(), format: format, isSpreadsheetSafe: spreadsheetSafe)
    guard let output else {
      for name in table { try export.write(name, to: .standard) }
      return
    }
    let files = try export.write(table, toFolder: output)
    guard Terminal.isError else { return }
    StandardError.write("Wrote \(Count.text(files.count, "file")) to \(OneLine.text(output)).\n")
  }

  private static func parsed(_ word: String) throws -> ExportFormat {
    if let format = ExportFormat(rawValue: word) { return format }
    throw ValidationError(
      word == "parquet"
        ? "DuckDB writes Parquet from warehouse.db with three statements: see "
          + "Docs/analysts/parquet.md." : "Expected csv or pgcopy.")
  }
}
