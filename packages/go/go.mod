module reliability.example/client

go 1.19
