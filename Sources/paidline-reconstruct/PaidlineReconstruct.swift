internal import Commands

/// The second stage: facts out of the working database.
@main
enum PaidlineReconstruct {
  static func main() { CommandMain.reconstruct() }
}
